import { expect, test } from 'vitest';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor, show } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

const MORE_THAN_ALLOWED = 110;

async function signIn({ email, password }: RegisteredOwner): Promise<string> {
  const { status, body } = await callAuth(server, 'POST', '/token?grant_type=password', { email, password });
  expect(status).toBe(200);
  clock.advance(1_000);
  return body.refresh_token;
}

async function signInOften(owner: RegisteredOwner): Promise<void> {
  for (let more = 0; more < MORE_THAN_ALLOWED; more += 1) await signIn(owner);
}

async function refresh(token: string) {
  const { status, body } = await callAuth(server, 'POST', '/token?grant_type=refresh_token', { refresh_token: token });
  return { status, token: String(body.refresh_token) };
}

async function kept({ user }: RegisteredOwner) {
  const [row] = await database.query<{ sessions: number; devices: number }>(
    `select (select count(*)::int from auth.sessions where user_id = $1) as sessions,
       (select count(*)::int from auth.known_devices where user_id = $1) as devices`,
    [user.id],
  );
  return row;
}

test('an account has at most 100 sessions and devices: the least recently used are dropped [K26]', async () => {
  const owner = await registerOwner(server);
  const unused = await signIn(owner);
  const used = await signIn(owner);
  for (let more = 0; more < 90; more += 1) await signIn(owner);
  const again = await refresh(used);
  for (let more = 0; more < 20; more += 1) await signIn(owner);

  expect(await kept(owner)).toEqual({ sessions: 100, devices: 100 });
  expect((await refresh(unused)).status).toBe(400);
  expect((await refresh(again.token)).status).toBe(200);
});

test('simultaneous sign-ins keep the bound [K26]', async () => {
  const owner = await registerOwner(server);
  // Each counts as a guess until its password has been compared, so not all of them can be under way at once.
  for (let count = 0; count < 2; count += 1) {
    await Promise.all(Array.from({ length: MORE_THAN_ALLOWED / 2 }, () => signIn(owner)));
  }
  expect(await kept(owner)).toEqual({ sessions: 100, devices: 100 });
});

test('a password alone ends no session that has shown the second factor, and makes no such device unknown [K26]', async () => {
  const owner = await registerOwner(server);
  await setUpFactor(owner.client, clock);
  await signInOften(owner);

  const finished = await database.query(
    "select from auth.sessions where user_id = $1 and aal = 'aal2' union all select from auth.known_devices where user_id = $1 and has_shown_factor",
    [owner.user.id],
  );
  expect(finished).toHaveLength(2);
  expect(await kept(owner)).toEqual({ sessions: 101, devices: 101 });
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
});

test('a password alone does not interrupt a sign-in on a device that has shown the second factor [K26]', async () => {
  const owner = await registerOwner(server);
  const authenticator = await setUpFactor(owner.client, clock);
  const { auth } = owner.client;
  await auth.signOut({ scope: 'local' });
  const { email, password } = owner;
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull();
  await signInOften(owner);

  await show(owner.client, clock, authenticator);
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  expect((await auth.refreshSession()).error).toBeNull();
});
