import { expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly address?: string;
  readonly cookie?: string;
}

async function signIn({ email, password, address = anAddress(), cookie = '' }: SignIn) {
  const response = await callAuth(
    server,
    'POST',
    '/token?grant_type=password',
    { email, password },
    { 'X-Forwarded-For': address, 'User-Agent': FIREFOX, ...(cookie !== '' && { Cookie: cookie }) },
  );
  const set = response.headers.get('set-cookie') ?? '';
  return { ...response, set, cookie: set.split(';', 1)[0] ?? '' };
}

/** Guesses at an account until it is closed to every device that it does not know. */
async function besiege(email: string) {
  const statuses: number[] = [];
  for (let network = 0; network < 11; network += 1) {
    const address = anAddress();
    const guesses = Array.from({ length: 10 }, (_, at) =>
      signIn({ email, password: `guess ${network} ${at}`, address }),
    );
    statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
  }
  return statuses;
}

test('a sign-in that succeeds leaves a cookie that no script reads, and the database keeps only its hash', async () => {
  const owner = await registerOwner(server);
  const { status, set, cookie } = await signIn(owner);
  expect(status).toBe(200);
  expect(set).toMatch(/^reunite_device=[A-Za-z0-9_-]{43}; Max-Age=34560000; Path=\/auth\/v1; HttpOnly; SameSite=Lax$/);
  const token = cookie.split('=')[1] ?? '';
  const rows = await database.query("select encode(device_hash, 'escape') from auth.known_devices");
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(server.logged.join('\n')).not.toContain(token);
  expect((await signIn({ ...owner, cookie })).cookie, 'the same device').toBe(cookie);
  expect((await signIn({ ...owner, password: 'wrong' })).set, 'a failure').toBe('');
});

test('a cookie set by another subdomain is not a device: a stranger’s registration keeps no password [K35]', async () => {
  const https = await startTestServer(database, { environment: { PUBLIC_URL: 'https://lost.example.org' } });
  // `evil.example.org` can set this name for all of `example.org`, but none with the prefix.
  const planted = `reunite_device=${'P'.repeat(43)}`;
  const registration = { email: anEmail(), password: 'chosen by a stranger' };
  const register = await callAuth(https, 'POST', '/signup', registration, { Cookie: planted });
  expect(register.status).toBe(200);
  const { tokenHash } = ownLinkIn(https.delivery.emails.find(({ to }) => to === registration.email) ?? { text: '' });
  const link = { type: 'signup', token_hash: tokenHash };
  const verified = await callAuth(https, 'POST', '/verify', link, { Cookie: planted });
  expect(verified.status).toBe(200);
  const signedIn = await callAuth(https, 'POST', '/token?grant_type=password', registration, { Cookie: planted });
  expect(signedIn.body.code).toBe('invalid_credentials');

  const set = verified.headers.getSetCookie().find((one) => one.includes('_device=')) ?? '';
  expect(set).toMatch(/^__Host-reunite_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(set).not.toContain('PPP');
});

test('while strangers guess passwords, the owner can sign in from a known device only [A7]', async () => {
  const owner = await registerOwner(server);
  const { cookie } = await signIn(owner);
  const statuses = await besiege(owner.email);
  expect(statuses.filter((status) => status === 400)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);

  expect((await signIn(owner)).status, 'a device that the account does not know').toBe(429);
  expect((await signIn({ ...owner, cookie })).status).toBe(200);
  const stranger = await signIn(await registerOwner(server));
  expect((await signIn({ ...owner, cookie: stranger.cookie })).status, 'a device of another account').toBe(429);
  expect((await signIn({ ...owner, cookie: `reunite_device=${'A'.repeat(43)}` })).status, 'a made-up one').toBe(429);

  // A thief of the device has ten guesses as well.
  const guesses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) {
    guesses.push((await signIn({ ...owner, password: `taken ${guess}`, cookie })).status);
  }
  expect(guesses).toEqual([...Array(10).fill(400), 429]);
});

test('one password tried on many accounts from everywhere is stopped [A7]', async () => {
  const password = 'Summer2026!';
  const victim = await registerOwner(server, { password });
  const statuses: number[] = [];
  for (let batch = 0; batch < 11; batch += 1) {
    const guesses = Array.from({ length: 10 }, () => signIn({ email: anEmail(), password }));
    statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(100);
  expect(statuses.slice(100)).toEqual(Array(10).fill(429));
  expect((await signIn(victim)).status, 'the one account that has it').toBe(429);
  expect((await signIn({ ...victim, password: 'something else' })).status).toBe(400);
});

test('a sign-in on a new device is announced; the account’s first sign-in is not', async () => {
  const owner = await registerOwner(server);
  const { cookie } = await signIn(owner);
  await signIn({ ...owner, cookie });
  const sessions = await database.query(
    'select device, device_is_new from auth.sessions where user_id = $1 order by created_at, device_is_new, device desc',
    [owner.user.id],
  );
  expect(sessions).toEqual([
    { device: 'Unknown device', device_is_new: false },
    { device: 'Firefox on Linux', device_is_new: false },
    { device: 'Firefox on Linux', device_is_new: true },
  ]);
});

test('such a sign-in enqueues its notice in its own transaction', async () => {
  const owner = await registerOwner(server);
  await rehearse(database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'insert into auth.sessions (user_id, device_is_new) values ($1, true), ($1, false) returning id',
      [owner.user.id],
    );
    const jobs = await client.query(
      `select job.payload from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id
         where task.identifier like 'notify_new_sign_in%' and job.payload ->> 'user_id' = $1`,
      [owner.user.id],
    );
    expect(jobs.rows).toEqual([{ payload: { user_id: owner.user.id, session_id: rows[0]?.id } }]);
  });
});

test('an owner sees the sessions, by device and use, and ends one of them', async () => {
  const [owner, other] = [await registerOwner(server), await registerOwner(server)];
  clock.advance(60_000);
  await signIn(owner);
  const { data } = await owner.client.rpc('list_sessions');
  expect(data).toMatchObject([
    { device: 'Firefox on Linux', aal: 'aal1', is_current: false },
    { device: 'Unknown device', aal: 'aal1', is_current: true },
  ]);
  expect(Object.keys(data[0])).toEqual(['id', 'created_at', 'last_used_at', 'device', 'aal', 'is_current']);
  clock.advance(60_000);
  await owner.client.auth.refreshSession();
  const { data: used } = await owner.client.rpc('list_sessions');
  expect(used.map((session: { is_current: boolean }) => session.is_current)).toEqual([true, false]);

  const [session] = data;
  expect((await other.client.rpc('end_session', { session_id_param: session.id })).error).toMatchObject({
    code: 'PT404',
    message: 'There is no such session',
  });
  expect((await owner.client.rpc('end_session', { session_id_param: session.id })).error).toBeNull();
  expect((await owner.client.rpc('list_sessions')).data).toHaveLength(1);
});
