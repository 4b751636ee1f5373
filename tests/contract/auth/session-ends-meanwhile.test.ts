import { expect, test } from 'vitest';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { quickPasswords } from '#tests/support/quick-passwords.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

/** Requests whose session ends between its check and the change. */
const database = await createTestDatabase();
const SLOW = 'hashed for as long as the test needs';
const hashing = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();
const server = await startTestServer(database, {
  auth: {
    passwords: {
      ...quickPasswords,
      async hash(password, turn, salt) {
        if (password === SLOW) {
          hashing.resolve();
          await released.promise;
        }
        return quickPasswords.hash(password, turn, salt);
      },
    },
  },
});

async function signIn({ email, password }: { readonly email: string; readonly password: string }) {
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

test('a change that waits while its session is ended changes nothing [K53]', async () => {
  const owner = await registerOwner(server);
  const thief = await signIn(owner);
  const change = thief.auth.updateUser({ password: SLOW, phone: aPhone(), data: { full_name: 'Taken' } });
  await hashing.promise;
  expect((await owner.client.auth.updateUser({ password: 'only the owner knows' })).error).toBeNull();
  released.resolve();

  expect((await change).error).toMatchObject({ name: 'AuthSessionMissingError' });
  const [account] = await database.query(
    "select new_phone, raw_user_meta_data ->> 'full_name' as name from auth.users where id = $1",
    [owner.user.id],
  );
  expect(account).toEqual({ new_phone: null, name: 'Olive Owner' });
  expect((await owner.client.auth.getUser()).error, 'the owner’s session').toBeNull();
  await signIn({ ...owner, password: 'only the owner knows' });
});

test.each(['sets up a factor', 'removes a factor'])('so with a request that %s [K53]', async (act) => {
  const owner = await registerOwner(server);
  const thief = await signIn(owner);
  const { data: begun } = await thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'begun' });
  const factors = () =>
    database.query('select friendly_name from auth.mfa_factors where user_id = $1', [owner.user.id]);
  const session = (await thief.auth.getSession()).data.session?.access_token ?? '';
  const sessionId = JSON.parse(atob(session.split('.')[1] ?? '')).session_id;
  const locking = await database.pool.connect();
  await locking.query('begin');
  await locking.query('select from auth.users where id = $1 for update', [owner.user.id]);
  const request =
    act === 'sets up a factor'
      ? thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'another' })
      : thief.auth.mfa.unenroll({ factorId: begun?.id ?? '' });
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await locking.query(waiting)).rowCount).toBeGreaterThan(0);
  await locking.query('delete from auth.sessions where id = $1', [sessionId]);
  await locking.query('commit');
  locking.release();
  expect((await request).error).toMatchObject({ name: 'AuthSessionMissingError' });
  expect(await factors()).toEqual([{ friendly_name: 'begun' }]);
});
