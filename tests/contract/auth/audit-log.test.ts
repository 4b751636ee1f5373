import { expect, test } from 'vitest';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

interface Line {
  readonly event: string;
  readonly session_id: string | null;
  readonly times: number;
  readonly by_operator: boolean;
  readonly details: object;
}

const linesOf = ({ user }: RegisteredOwner) =>
  database.query<Line>(
    'select event, session_id, times, by_operator, details from auth.audit_log where user_id = $1 order by id',
    [user.id],
  );
const eventsOf = async (owner: RegisteredOwner) => (await linesOf(owner)).map(({ event }) => event);

test('the life of an account, line by line', async () => {
  const owner = await registerOwner(server);
  expect(await eventsOf(owner)).toEqual([
    'account_created',
    'identity_linked',
    'phone_confirmed',
    'phone_changed',
    'signed_in',
  ]);
  const so_far = (await eventsOf(owner)).length;
  const { client, email, password } = owner;

  // The failures of an hour are one line: both are to fall into one.
  await database.query('select pg_sleep(10) where extract(epoch from now())::int % 3600 >= 3590');
  await callAuth(server, 'POST', '/token?grant_type=password', { email, password: 'wrong' });
  await callAuth(server, 'POST', '/token?grant_type=password', { email, password: 'wrong' });
  await client.auth.updateUser({ password: 'another good one' });
  const app = await setUpFactor(client, clock);
  await client.rpc('make_recovery_codes');
  await client.auth.mfa.unenroll({ factorId: app.factorId });
  await client.auth.signOut();
  expect((await linesOf(owner)).slice(so_far)).toMatchObject([
    { event: 'sign_in_failed', times: 2 },
    { event: 'password_changed', by_operator: false },
    { event: 'factor_enrolled', details: { type: 'totp' } },
    { event: 'factor_verified', details: { type: 'totp' } },
    { event: 'second_factor_passed', details: { method: 'totp' }, session_id: expect.any(String) },
    { event: 'recovery_codes_made' },
    { event: 'session_lowered' },
    { event: 'factor_removed', details: { type: 'totp', status: 'verified' } },
    { event: 'session_ended', session_id: expect.any(String) },
  ]);
  expect(password).not.toBe('another good one');
});

test('actions of an operator are marked, and entries of a deleted account stay [B20]', async () => {
  const owner = await registerOwner(server);
  const { admin } = server.client({ key: server.secrets.secretKey }).auth;
  await admin.updateUserById(owner.user.id, { ban_duration: '24h' });
  await admin.updateUserById(owner.user.id, { ban_duration: 'none' });
  await admin.updateUserById(owner.user.id, { app_metadata: { plan: 'gold' } });
  await admin.deleteUser(owner.user.id);
  const done = (await linesOf(owner)).filter(({ by_operator: byOperator }) => byOperator).map(({ event }) => event);
  expect(done).toEqual(expect.arrayContaining(['banned', 'session_ended', 'ban_lifted', 'privileges_changed']));
  expect(done.at(-1)).toMatch(/^(account_deleted|identity_unlinked)$/);
  expect(done).toContain('account_deleted');
});

test('of one event an account has fifty entries a day, and the last one counts the further ones [K43]', async () => {
  const owner = await registerOwner(server);
  await database.query("select internal.record_event('factor_enrolled', $1) from generate_series(1, 60)", [
    owner.user.id,
  ]);
  await database.query("select internal.record_event('factor_removed', $1)", [owner.user.id]);
  const enrolled = (await linesOf(owner)).filter(({ event }) => event === 'factor_enrolled');
  expect(enrolled.map(({ times }) => times)).toEqual([...Array(49).fill(1), 11]);
  expect(await eventsOf(owner)).toContain('factor_removed');
  await database.query("update auth.audit_log set at = at - interval '1 day' where user_id = $1", [owner.user.id]);
  await database.query("select internal.record_event('factor_enrolled', $1)", [owner.user.id]);
  expect((await linesOf(owner)).at(-1)).toMatchObject({ event: 'factor_enrolled', times: 1 });
});

test('an action and its entry commit together: a transaction that is rolled back leaves none', async () => {
  const owner = await registerOwner(server);
  const before = await linesOf(owner);
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query("update auth.users set encrypted_password = 'x' where id = $1", [owner.user.id]);
  await client.query('rollback');
  client.release();
  expect(await linesOf(owner)).toEqual(before);
});

test('the audit log identifies no person and holds no secret; only the service reads it', async () => {
  const owner = await registerOwner(server);
  await callAuth(server, 'POST', '/token?grant_type=password', {
    email: 'nobody@example.com',
    password: 'a guess at nobody',
  });
  const lines = JSON.stringify(await database.query('select * from auth.audit_log'));
  const { data } = await owner.client.auth.getSession();
  for (const secret of [
    owner.email,
    owner.phone.slice(1),
    owner.password,
    'Olive',
    'nobody@example.com',
    'a guess at nobody',
    data.session?.refresh_token ?? '',
  ]) {
    expect(lines).not.toContain(secret);
  }
  const [unknown] = await database.query<Line>(
    "select times from auth.audit_log where user_id is null and event = 'sign_in_failed'",
  );
  expect(unknown?.times).toBeGreaterThanOrEqual(1);
  for (const role of ['anon', 'authenticated']) {
    await expect(database.query(`set role ${role}; select * from auth.audit_log`)).rejects.toThrow('permission denied');
    await database.query('reset role');
  }
});
