import { expect, test } from 'vitest';
import { CONNECT_TIMEOUT_MS, SERVICE_CONNECTIONS } from '#server/postgres/database.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

test('many who ask for a code at the same moment all get one at once, and somebody else can sign in meanwhile', async () => {
  const owner = await registerOwner(server);
  const emails = Array.from({ length: 4 * SERVICE_CONNECTIONS }, anEmail);

  for (const [path, body] of [
    ['/otp', (email: string) => ({ email })],
    ['/resend', (email: string) => ({ type: 'signup', email })],
  ] as const) {
    const sentBefore = server.delivery.emails.length;
    const began = performance.now();
    const { email, password } = owner;
    const [signedIn, ...answers] = await Promise.all([
      callAuth(server, 'POST', '/token?grant_type=password', { email, password }),
      ...emails.map((asking) => callAuth(server, 'POST', path, body(asking))),
    ]);
    expect(performance.now() - began, path).toBeLessThan(CONNECT_TIMEOUT_MS / 2);
    expect(signedIn.status, `signing in beside ${path}`).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    await expect.poll(() => server.delivery.emails.length - sentBefore).toBe(emails.length);
    clock.advance(60_000);
  }
});
