import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinksIn } from './support/link-in.ts';

const database = await createTestDatabase();
const delivery = catchDelivery();
// A password reset is requested right after the sign-up.
const LIMITS = 'mail_gap_per_account=10/60,sms_gap_per_account=10/60';
const first = await startTestServer(database, { delivery, environment: { LIMITS } });
const second = await startTestServer(database, {
  delivery,
  secrets: first.secrets,
  environment: { PUBLIC_URL: first.url, LIMITS },
});
/** The storage service responds to every refusal with 400 and puts the real status into the body. */
const REFUSED = { auth: 403, data: 401, storage: 400 };
const WITHIN = { timeout: 5_000, interval: 50 };

/** A signed-in client with an open channel on one of two servers; the other server handles its requests. */
interface Device {
  readonly client: SupabaseClient;
  readonly server: TestServer;
  readonly token: string;
  readonly refreshToken: string;
  readonly closed: () => boolean;
}

async function signIn(server: TestServer, { email, password }: RegisteredOwner): Promise<Device> {
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  await client.realtime.setAuth();
  const states: string[] = [];
  const channel = client
    .channel('mine')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'items' }, () => {});
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, problem) => {
      states.push(status);
      if (status === 'SUBSCRIBED') resolve();
      else if (status !== 'CLOSED') reject(problem ?? new Error(status));
    });
  });
  const { access_token: token, refresh_token: refreshToken } = data.session;
  return {
    client,
    server: server === first ? second : first,
    token,
    refreshToken,
    closed: () => states.at(-1) !== 'SUBSCRIBED',
  };
}

/** Returns each service's status for the device's access token. */
async function statuses({ server, token }: Device) {
  const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` };
  const ask = async (path: string) => (await server.request(path, { headers })).status;
  return {
    auth: await ask('/auth/v1/user'),
    data: await ask('/rest/v1/profiles?select=id'),
    storage: await ask('/storage/v1/bucket'),
  };
}

async function expectEnded(device: Device) {
  await expect.poll(() => statuses(device), WITHIN).toEqual(REFUSED);
  await expect.poll(device.closed, WITHIN).toBe(true);
  const { status } = await callAuth(device.server, 'POST', '/token?grant_type=refresh_token', {
    refresh_token: device.refreshToken,
  });
  expect(status, 'a refresh').toBe(400);
}

async function expectAlive(device: Device) {
  expect(await statuses(device)).toEqual({ auth: 200, data: 200, storage: 200 });
  expect(device.closed()).toBe(false);
}

function asOperator(owner: RegisteredOwner) {
  const admin = first.client({ key: first.secrets.secretKey }).auth.admin;
  return { admin, id: owner.user.id };
}

type Four = readonly [Device, Device, Device, Device];

describe.each<[string, (four: Four, owner: RegisteredOwner) => Promise<unknown>, readonly number[]]>([
  ['sign-out here', ([here]) => here.client.auth.signOut({ scope: 'local' }), [0]],
  ['sign-out of the others', ([here]) => here.client.auth.signOut({ scope: 'others' }), [1, 2, 3]],
  ['sign-out everywhere', ([here]) => here.client.auth.signOut({ scope: 'global' }), [0, 1, 2, 3]],
  [
    'another password, by a link to an address',
    async (_four, { email, user }) => {
      // The SMS of the sign-up proved only the number.
      await database.query(
        'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1',
        [user.id],
      );
      await callAuth(first, 'POST', '/recover', { email });
      const recovery = () =>
        delivery.emails
          .filter(({ to }) => to === email)
          .flatMap(ownLinksIn)
          .find(({ type }) => type === 'recovery');
      await expect.poll(recovery, WITHIN).toBeDefined();
      const elsewhere = first.client();
      const opened = await elsewhere.auth.verifyOtp({ type: 'recovery', token_hash: recovery()?.tokenHash ?? '' });
      expect(opened.error).toBeNull();
      expect((await elsewhere.auth.updateUser({ password: 'another good password' })).error).toBeNull();
    },
    [0, 1, 2, 3],
  ],
  ['another password', ([here]) => here.client.auth.updateUser({ password: 'another good password' }), [1, 2, 3]],
  [
    'one session ended by its owner',
    async ([here, , there]) => {
      const { data } = await there.client.rpc('list_sessions');
      const { id } = data.find(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent);
      return here.client.rpc('end_session', { session_id_param: id });
    },
    [2],
  ],
  [
    'a ban',
    (_four, owner) => {
      const { admin, id } = asOperator(owner);
      return admin.updateUserById(id, { ban_duration: '24h' });
    },
    [0, 1, 2, 3],
  ],
  [
    'a ban that is only written into the row',
    (_four, owner) =>
      database.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [owner.user.id]),
    [0, 1, 2, 3],
  ],
  [
    'deletion of the account',
    (_four, owner) => {
      const { admin, id } = asOperator(owner);
      return admin.deleteUser(id);
    },
    [0, 1, 2, 3],
  ],
])('%s', (_how, end, ended) => {
  test('is noticed by every service of every server within five seconds [B15]', async () => {
    const owner = await registerOwner(first);
    const [a, b, c, d] = [
      await signIn(first, owner),
      await signIn(second, owner),
      await signIn(first, owner),
      await signIn(second, owner),
    ];
    const four: Four = [a, b, c, d];
    // From here on, both servers have cached that all four are valid.
    for (const device of four) await expectAlive(device);
    await end(four, owner);
    for (const [index, device] of four.entries()) {
      if (ended.includes(index)) await expectEnded(device);
    }
    for (const [index, device] of four.entries()) {
      if (!ended.includes(index)) await expectAlive(device);
    }
  });
});

test('the response names the cause: an ended session, a banned account, or a deleted account', async () => {
  const owner = await registerOwner(first);
  const ask = async (device: Device) =>
    (await callAuth(first, 'GET', '/user', undefined, { Authorization: `Bearer ${device.token}` })).body;
  const device = await signIn(first, owner);
  await device.client.auth.signOut({ scope: 'local' });
  await expect
    .poll(() => ask(device), WITHIN)
    .toMatchObject({
      code: 'session_not_found',
      message: 'Session from session_id claim in JWT does not exist',
    });
  const read = async () => {
    const headers = { apikey: first.secrets.publishableKey, Authorization: `Bearer ${device.token}` };
    return (await first.request('/rest/v1/profiles', { headers })).json();
  };
  // The auth service always queries the database; the others notice at most a moment later.
  await expect
    .poll(read, WITHIN)
    .toEqual({ code: 'PGRST303', message: 'JWT session has ended', details: null, hint: null });

  const banned = await signIn(first, owner);
  await database.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [owner.user.id]);
  await expect.poll(() => ask(banned), WITHIN).toMatchObject({ code: 'user_banned', message: 'User is banned' });
  await database.query('update auth.users set banned_until = null where id = $1', [owner.user.id]);
  await expect.poll(() => ask(banned), { ...WITHIN, message: 'a lifted ban' }).toMatchObject({ id: owner.user.id });
  await database.query('delete from auth.users where id = $1', [owner.user.id]);
  await expect
    .poll(() => ask(banned), WITHIN)
    .toMatchObject({
      code: 'user_not_found',
      message: 'User from sub claim in JWT does not exist',
    });
});

test('a server that cannot be notified reads the session instead [B15]', async () => {
  const owner = await registerOwner(first);
  const device = await signIn(first, owner);
  await expectAlive(device);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'reunite notifications'`,
  );
  await database.query('delete from auth.sessions where user_id = $1', [owner.user.id]);
  await expect.poll(() => statuses(device), WITHIN).toEqual(REFUSED);
  await expect.poll(device.closed, WITHIN).toBe(true);
});
