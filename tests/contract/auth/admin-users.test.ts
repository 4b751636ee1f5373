import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;
const byOperator = { apikey: server.secrets.secretKey, Authorization: `Bearer ${server.secrets.secretKey}` };

async function create(attributes: Parameters<typeof operator.createUser>[0] = {}) {
  const { data, error } = await operator.createUser({ email: anEmail(), ...attributes });
  if (error !== null || data.user === null) throw error ?? new Error('No user came.');
  return data.user;
}

test('an account created as confirmed can sign in, and no message is sent', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  const user = await create({
    email: email.toUpperCase(),
    phone,
    password: 'correct horse',
    email_confirm: true,
    phone_confirm: true,
    user_metadata: { full_name: 'Made By Operator', phone },
    app_metadata: { plan: 'gold' },
  });
  expect(user).toMatchObject({
    email,
    phone: phone.slice(1),
    role: 'authenticated',
    app_metadata: { provider: 'email', providers: ['email', 'phone'], plan: 'gold' },
    user_metadata: { full_name: 'Made By Operator', email_verified: true, phone_verified: true },
    is_anonymous: false,
  });
  expect(user.email_confirmed_at).toBeTruthy();
  expect(user.phone_confirmed_at).toBeTruthy();
  expect(user.identities?.map(({ provider, id }) => [provider, id])).toEqual(
    expect.arrayContaining([
      ['email', user.id],
      ['phone', user.id],
    ]),
  );
  const signedIn = await server.client().auth.signInWithPassword({ email, password: 'correct horse' });
  expect(signedIn.data.user?.id).toBe(user.id);
  expect(await database.query('select full_name, email, phone from public.profiles where id = $1', [user.id])).toEqual([
    { full_name: 'Made By Operator', email, phone },
  ]);
  expect([...server.delivery.emails, ...server.delivery.texts].filter(({ to }) => [email, phone].includes(to))).toEqual(
    [],
  );
});

test('an account that is not created as confirmed is unconfirmed', async () => {
  const user = await create({ password: 'correct horse' });
  expect(user).not.toHaveProperty('confirmed_at');
  const { error } = await server
    .client()
    .auth.signInWithPassword({ email: user.email ?? '', password: 'correct horse' });
  expect(error?.code).toBe('email_not_confirmed');
});

test('an account keeps the id and the password hash that it had elsewhere', async () => {
  const id = randomUUID();
  const email = anEmail();
  const passwordHash = await hash('from elsewhere', { memoryCost: 8_192, timeCost: 3, parallelism: 1 });
  const user = await create({ id, email, password_hash: passwordHash, email_confirm: true });
  expect(user.id).toBe(id);
  const signedIn = await server.client().auth.signInWithPassword({ email, password: 'from elsewhere' });
  expect(signedIn.data.user?.id).toBe(id);
});

test.each([
  ['neither address nor number', { email: '' }, 400, 'validation_failed'],
  ['a malformed address', { email: 'nobody' }, 400, 'validation_failed'],
  ['a malformed number', { phone: '12' }, 400, 'validation_failed'],
  ['a malformed id', { id: 'first' }, 400, 'validation_failed'],
  ['a short password', { password: 'short' }, 422, 'weak_password'],
  ['a password and a hash', { password: 'correct horse', password_hash: '$argon2id$' }, 400, 'validation_failed'],
  ['a hash that is none of bcrypt’s', { password_hash: `$2b$10$${'a'.repeat(53)}` }, 400, 'validation_failed'],
  [
    'a hash that would take a gigabyte',
    { password_hash: `$argon2id$v=19$m=1048576,t=2,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}` },
    400,
    'validation_failed',
  ],
  ['a role of the database', { role: 'service_role' }, 400, 'validation_failed'],
  ['a ban of no length', { ban_duration: 'forever' }, 400, 'validation_failed'],
  ['a ban into the past', { ban_duration: '-1h' }, 400, 'validation_failed'],
  ['a ban beyond all dates', { ban_duration: '99999999999h' }, 400, 'validation_failed'],
])('an account with %s is not created', async (_name, attributes, status, code) => {
  const email = anEmail();
  const { error } = await operator.createUser({ email, ...attributes });
  expect(error).toMatchObject({ status, code });
  expect(await database.query('select from auth.users where email = $1', [email])).toEqual([]);
});

test('no two accounts have one address, one number or one id', async () => {
  const phone = aPhone();
  const first = await create({ phone, email_confirm: true });
  const second = await create();
  const twice = [
    [await operator.createUser({ email: first.email ?? '' }), 'email_exists'],
    [await operator.createUser({ phone }), 'phone_exists'],
    [await operator.createUser({ email: anEmail(), id: first.id }), 'conflict'],
    [await operator.updateUserById(second.id, { email: first.email ?? '' }), 'email_exists'],
    [await operator.updateUserById(second.id, { phone }), 'phone_exists'],
  ] as const;
  for (const [{ error }, code] of twice) expect(error).toMatchObject({ status: 422, code });
  expect((await operator.getUserById(second.id)).data.user?.email).toBe(second.email);
});

test('changes by the operator take effect at once: address, number, password, metadata', async () => {
  const owner = await registerOwner(server);
  const [email, phone] = [anEmail(), aPhone()];
  const { data, error } = await operator.updateUserById(owner.user.id, {
    email,
    phone,
    password: 'another horse',
    user_metadata: { full_name: 'New Name', phone: null },
    app_metadata: { plan: 'gold' },
  });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    email,
    phone: phone.slice(1),
    app_metadata: { provider: 'email', providers: ['email', 'phone'], plan: 'gold' },
    user_metadata: { full_name: 'New Name', email, email_verified: true },
  });
  expect(data.user?.user_metadata).not.toHaveProperty('phone');
  expect(data.user?.email_confirmed_at).toBeTruthy();
  expect(data.user?.identities?.find(({ provider }) => provider === 'email')?.identity_data).toMatchObject({ email });
  expect(await database.query('select email from public.profiles where id = $1', [owner.user.id])).toEqual([{ email }]);

  expect((await owner.client.auth.refreshSession()).error?.code, 'its sessions have ended').toBe(
    'refresh_token_not_found',
  );
  const client = server.client();
  expect((await client.auth.signInWithPassword({ email, password: owner.password })).error?.code).toBe(
    'invalid_credentials',
  );
  expect((await client.auth.signInWithPassword({ email, password: 'another horse' })).data.user?.id).toBe(
    owner.user.id,
  );
});

test('a code that was sent to the old address is invalid after a change', async () => {
  const email = anEmail();
  const client = server.client();
  const { data } = await client.auth.signUp({ email, password: 'correct horse' });
  const token = server.delivery.codeFor(email);
  await operator.updateUserById(data.user?.id ?? '', { email: anEmail() });
  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error?.code).toBe('otp_expired');
});

test('a change by the operator leaves no trace of a change that its owner had begun', async () => {
  const owner = await registerOwner(server);
  expect((await owner.client.auth.updateUser({ email: anEmail() })).data.user?.email_change_sent_at).toBeTruthy();
  const { data } = await operator.updateUserById(owner.user.id, { password: 'another horse' });
  expect(data.user).not.toHaveProperty('new_email');
  expect(data.user).not.toHaveProperty('email_change_sent_at');
});

test('a ban ends the sessions and refuses the password until it is over or lifted', async () => {
  const owner = await registerOwner(server);
  const { email, password } = owner;
  const banned = await operator.updateUserById(owner.user.id, { ban_duration: '1h30m' });
  const until = Date.parse(banned.data.user?.banned_until ?? '');
  expect(Math.abs(until - clock.now() - 5_400_000)).toBeLessThan(60_000);
  expect((await owner.client.auth.getUser(owner.session.access_token)).error).toBeTruthy();
  expect((await owner.client.auth.refreshSession()).error).toBeTruthy();
  const signIn = () => server.client().auth.signInWithPassword({ email, password });
  expect((await signIn()).error?.code).toBe('user_banned');
  clock.advance(5_400_000);
  expect((await signIn()).error).toBeNull();

  await operator.updateUserById(owner.user.id, { ban_duration: '24h' });
  expect((await signIn()).error?.code).toBe('user_banned');
  expect((await operator.updateUserById(owner.user.id, { ban_duration: 'none' })).data.user).not.toHaveProperty(
    'banned_until',
  );
  expect((await signIn()).error).toBeNull();
});

test('a deleted account is removed with its data, its tag code is free, and its address can register again', async () => {
  const owner = await registerOwner(server);
  const item = await createItem(database, owner.user);
  const { data, error } = await operator.deleteUser(owner.user.id);
  expect([data.user?.id, error]).toEqual([owner.user.id, null]);
  for (const [table, column] of [
    ['auth.users', 'id'],
    ['auth.sessions', 'user_id'],
    ['auth.identities', 'user_id'],
    ['public.profiles', 'id'],
    ['public.items', 'user_id'],
    ['public.qr_codes', 'owner_id'],
  ]) {
    expect(await database.query(`select from ${table} where ${column} = $1`, [owner.user.id]), table).toEqual([]);
  }
  expect((await owner.client.auth.getUser(owner.session.access_token)).error).toBeTruthy();
  expect((await server.client().rpc('find_item', { qr_id_param: item.qrId })).data).toBeNull();
  expect((await operator.getUserById(owner.user.id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
  expect((await operator.deleteUser(owner.user.id)).error?.code).toBe('user_not_found');
  clock.advance(60_000);
  await registerOwner(server, { email: owner.email });
});

test('a softly deleted account keeps its id and dates, and nothing that identifies its owner', async () => {
  const owner = await registerOwner(server, { data: { full_name: 'Canary Softly' } });
  await createItem(database, owner.user);
  expect((await operator.deleteUser(owner.user.id, true)).error).toBeNull();
  const kept = (await operator.getUserById(owner.user.id)).data.user;
  expect(kept?.created_at).toBe(owner.user.created_at);
  expect(kept?.deleted_at).toBeTruthy();
  expect(kept?.identities).toEqual([]);
  const row = JSON.stringify(await database.query('select * from auth.users where id = $1', [owner.user.id]));
  for (const personal of [owner.email, owner.phone.slice(1), 'Canary', 'argon2']) expect(row).not.toContain(personal);
  for (const table of ['public.items where user_id', 'public.profiles where id', 'auth.sessions where user_id']) {
    expect(await database.query(`select from ${table} = $1`, [owner.user.id]), table).toEqual([]);
  }
  expect((await operator.updateUserById(owner.user.id, { email_confirm: true })).error?.code).toBe('user_not_found');
  clock.advance(60_000);
  await registerOwner(server, { email: owner.email });
  expect((await operator.deleteUser(owner.user.id)).error, 'at last it goes altogether').toBeNull();
  expect((await operator.getUserById(owner.user.id)).error?.code).toBe('user_not_found');
});

test('a page at a time, newest first, with how many there are and which page is next', async () => {
  const mark = `paged-${randomUUID()}`;
  for (let at = 1; at <= 5; at += 1) await create({ email: `${mark}-${at}@example.com` });
  const page = async (query: string) => callAuth(server, 'GET', `/admin/users?${query}`, undefined, byOperator);

  const second = await page(`page=2&per_page=2&filter=${mark.toUpperCase()}`);
  expect(second.body.aud).toBe('authenticated');
  expect(second.body.users.map((user: { email: string }) => user.email.at(-13))).toEqual(['3', '2']);
  expect(second.headers.get('x-total-count')).toBe('5');
  const rest = `&per_page=2&filter=${mark.toUpperCase()}`;
  expect(second.headers.get('link')).toBe(
    `</admin/users?page=3${rest}>; rel="next", </admin/users?page=3${rest}>; rel="last"`,
  );
  const last = await page(`page=3&per_page=2&filter=${mark}&sort=created_at%20asc`);
  expect(last.body.users.map((user: { email: string }) => user.email.at(-13))).toEqual(['5']);
  expect(last.headers.get('link')).not.toContain('rel="next"');
  expect((await page(`filter=${mark}%25`)).body.users, 'a percent sign is a percent sign').toEqual([]);

  const official = await operator.listUsers({ page: 1, perPage: 2 });
  expect(official.error).toBeNull();
  expect(official.data.users).toHaveLength(2);
  const [count] = await database.query<{ count: number }>('select count(*)::integer as count from auth.users');
  expect(official.data).toMatchObject({ nextPage: 2, total: count?.count });
  expect((await operator.listUsers()).data.users.length).toBe(Math.min(50, count?.count ?? 0));
});

test.each(['page=0', 'page=-1', 'page=x', 'per_page=0', 'per_page=1001', 'per_page=1e3', 'sort=email', 'filter=%00'])(
  'a listing with %s is refused',
  async (query) => {
    const response = await callAuth(server, 'GET', `/admin/users?${query}`, undefined, byOperator);
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  },
);

test('a malformed id and an unknown id are refused', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? {} : undefined;
    expect(await callAuth(server, method, '/admin/users/first', body, byOperator)).toMatchObject({
      status: 404,
      body: { code: 'validation_failed', message: 'user_id must be an UUID' },
    });
    expect(await callAuth(server, method, `/admin/users/${randomUUID()}`, body, byOperator)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found', message: 'User not found' },
    });
  }
});

test('the operator lists an account’s second factors without their secrets, and removes a lost one', async () => {
  const owner = await registerOwner(server);
  const enrolled = await owner.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  const factorId = enrolled.data?.id ?? '';
  const listed = await operator.mfa.listFactors({ userId: owner.user.id });
  expect(listed.data?.factors).toMatchObject([{ id: factorId, factor_type: 'totp', friendly_name: 'Phone' }]);
  expect(JSON.stringify(listed.data)).not.toContain('secret');

  const stranger = await registerOwner(server);
  expect((await operator.mfa.deleteFactor({ userId: stranger.user.id, id: factorId })).error).toMatchObject({
    status: 404,
    code: 'mfa_factor_not_found',
  });
  expect((await operator.mfa.deleteFactor({ userId: owner.user.id, id: factorId })).error).toBeNull();
  expect((await operator.mfa.listFactors({ userId: owner.user.id })).data?.factors).toEqual([]);
});

test('the operator ends an account’s sessions with its token', async () => {
  const [first, second] = [await registerOwner(server), server.client()];
  await second.auth.signInWithPassword({ email: first.email, password: first.password });
  expect((await operator.signOut(first.session.access_token, 'others')).error).toBeNull();
  expect((await second.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
  expect((await operator.signOut(first.session.access_token, 'global')).error).toBeNull();
  expect((await first.client.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
});

test('the audit log marks actions of an operator, and not those of an owner', async () => {
  const owner = await registerOwner(server);
  await owner.client.auth.updateUser({ data: { full_name: 'Still Olive' }, password: 'another horse' });
  await operator.updateUserById(owner.user.id, { ban_duration: '1h', email: anEmail() });
  await operator.deleteUser(owner.user.id);
  const log = await database.query<{ event: string; by_operator: boolean }>(
    'select event, by_operator from auth.audit_log where user_id = $1 order by id',
    [owner.user.id],
  );
  const eventsBy = (operator: boolean) => log.filter((row) => row.by_operator === operator).map(({ event }) => event);
  expect(eventsBy(true)).toEqual(expect.arrayContaining(['banned', 'email_changed', 'account_deleted']));
  expect(eventsBy(false)).toEqual(expect.arrayContaining(['account_created', 'signed_in', 'password_changed']));
  expect(eventsBy(false)).not.toContain('account_deleted');
});
