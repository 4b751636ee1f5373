import { expect, test } from 'vitest';
import { DEFAULT_CONNECTIONS } from '#server/postgres/divide-connections.ts';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

test('simultaneous requests for codes are all served, and another account can sign in meanwhile', async () => {
  const owner = await registerOwner(server);
  const emails = Array.from({ length: 2 * DEFAULT_CONNECTIONS }, anEmail);

  for (const [path, body] of [
    ['/otp', (email: string) => ({ email })],
    ['/resend', (email: string) => ({ type: 'signup', email })],
  ] as const) {
    const sentBefore = withCodes(server.delivery.emails).length;
    const { email, password } = owner;
    const [signedIn, ...responses] = await Promise.all([
      callAuth(server, 'POST', '/token?grant_type=password', { email, password }),
      ...emails.map((asking) => callAuth(server, 'POST', path, body(asking))),
    ]);
    expect(signedIn.status, `signing in beside ${path}`).toBe(200);
    expect(responses.map(({ status }) => status)).toEqual(emails.map(() => 200));
    await expect.poll(() => withCodes(server.delivery.emails).length - sentBefore).toBe(emails.length);
    clock.advance(60_000);
  }
});

test('a code can be entered while another is requested, and neither request fails', async () => {
  const email = anEmail();
  await callAuth(server, 'POST', '/otp', { email });
  const token = codeIn(await server.delivery.takeEmailTo(email));
  clock.advance(60_000);

  // Both requests are held at the code, so that the one that enters it and the one that replaces it overlap.
  const holder = await database.pool.connect();
  await holder.query('begin');
  await holder.query(
    'select from auth.one_time_tokens where user_id = (select id from auth.users where claimed_email = $1) for update',
    [email],
  );
  const typed = callAuth(server, 'POST', '/verify', { type: 'signup', email, token });
  await expect.poll(waitingForLocks).toBe(1);
  const asked = callAuth(server, 'POST', '/resend', { type: 'signup', email });
  await expect.poll(waitingForLocks).toBe(2);
  await holder.query('commit');
  holder.release();

  expect(await Promise.all([typed, asked])).toMatchObject([{ status: 200 }, { status: 200, body: {} }]);
});

async function waitingForLocks(): Promise<number> {
  return (
    await database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length;
}
