import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { MOST_REGISTRATIONS } from '#server/auth/accounts/register-account.ts';
import { MOST_FAILURES_IN_A_ROW } from '#server/auth/codes/one-time-code.ts';
import { catchDelivery, codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const bySms = await startTestServer(database, { clock });
const { secrets } = bySms;
const byMail = await startTestServer(database, {
  clock,
  secrets,
  delivery: catchDelivery({ hasSms: false }),
});
const hidden = await startTestServer(database, {
  clock,
  secrets,
  environment: { HIDE_ACCOUNT_EXISTENCE: 'true' },
});

const OWN = { password: 'the owner’s own', data: { full_name: 'Olive Owner', team: 'green' } };
const STRANGER = { password: 'of a stranger', data: { full_name: 'Mallory', team: 'red', planted: true } };
const REFUSED = { status: 403, code: 'otp_expired' };

interface Details {
  readonly password: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Waits a minute first, after which the service sends to the address again. A client is a browser, with its cookies. */
async function signUp(on: TestServer, email: string, { password, data }: Details, client = on.client()) {
  clock.advance(60_000);
  const registered = await client.auth.signUp({ email, password, options: { data } });
  expect(registered.error).toBeNull();
  return registered;
}

async function resend(on: TestServer, email: string): Promise<void> {
  clock.advance(60_000);
  expect(await callAuth(on, 'POST', '/resend', { type: 'signup', email })).toMatchObject({ status: 200, body: {} });
}

function verify(on: TestServer, email: string, token: string, client = on.client()) {
  return client.auth.verifyOtp({ email, token, type: 'signup' });
}

async function signIn(on: TestServer, email: string, { password }: Details): Promise<string | undefined> {
  return (await on.client().auth.signInWithPassword({ email, password })).error?.code;
}

/** Returns the latest message with a code, by SMS where the registration has a number and the server sends them. */
function proofFor(on: TestServer, email: string, { data }: Details) {
  const bySms = on === servers.sms && typeof data.phone === 'string';
  return bySms ? on.delivery.takeSmsTo(String(data.phone)) : on.delivery.takeEmailTo(email);
}

const servers = { mail: byMail, hidden, sms: bySms };

/** Asserts that the account holds what was entered in one registration, and nothing of the stranger's. */
async function expectEntered(on: TestServer, client: SupabaseClient, email: string, details: Details): Promise<void> {
  const { data } = await client.auth.getUser();
  expect(data.user).toMatchObject({ email, user_metadata: details.data });
  expect(data.user?.app_metadata).not.toHaveProperty('password_needed');
  expect(data.user?.user_metadata).not.toHaveProperty('planted');
  const [account] = await database.query('select full_name from public.profiles where id = $1', [data.user?.id]);
  expect(account).toEqual({ full_name: details.data.full_name });
  expect(await signIn(on, email, details)).toBeUndefined();
  expect(await signIn(on, email, STRANGER)).toBe('invalid_credentials');
  expect(
    await database.query('select from auth.users where claimed_email = $1 and id <> $2', [email, data.user?.id]),
  ).toEqual([]);
}

const EACH_WAY = (['mail', 'hidden', 'sms'] as const).flatMap((on) =>
  (['before', 'after'] as const).flatMap((order) =>
    (['own', 'newest'] as const).map((code) => [on, order, code] as const),
  ),
);

test.each(EACH_WAY)(
  'a user who registers gets the details that they entered, whatever a stranger enters: by %s, a stranger %s, with their %s code [K36]',
  async (name, order, which) => {
    const on = servers[name];
    const email = anEmail();
    const number = { phone: aPhone() };
    const own = { ...OWN, data: { ...OWN.data, ...number, qr_id: createTagCode() } };
    const stranger = { ...STRANGER, data: { ...STRANGER.data, ...number, qr_id: createTagCode() } };
    const client = on.client();
    const codes = [];
    for (const [details, by] of order === 'before'
      ? ([
          [stranger, on.client()],
          [own, client],
        ] as const)
      : ([
          [own, client],
          [stranger, on.client()],
        ] as const)) {
      const { data } = await signUp(on, email, details, by);
      expect(data.user?.user_metadata, 'a response shows what was just entered').toMatchObject(details.data);
      codes.push({ details, code: codeIn(await proofFor(on, email, details)) });
    }
    const { code = '' } = (which === 'own' ? codes.find(({ details }) => details === own) : codes.at(-1)) ?? {};
    const verified = await verify(on, email, code, client);
    expect(verified.error).toBeNull();
    await expectEntered(on, client, email, own);
    const codesOf = 'select items.qr_id from public.items where user_id = $1';
    expect(await database.query(codesOf, [verified.data.user?.id])).toEqual([{ qr_id: own.data.qr_id }]);
  },
);

test('the responses to two registrations of one address reveal nothing about each other [K36]', async () => {
  const email = anEmail();
  const first = await signUp(byMail, email, OWN);
  const second = await signUp(byMail, email, STRANGER);
  expect(second.data.user?.id).not.toBe(first.data.user?.id);
  expect(Date.parse(second.data.user?.created_at ?? '')).toBeGreaterThan(Date.parse(first.data.user?.created_at ?? ''));
  expect(JSON.stringify(second)).not.toContain(OWN.data.full_name);
});

test('the account that is confirmed is the one that the sign-up returned', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  const own = await signUp(byMail, email, OWN, client);
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  const verified = await verify(byMail, email, codeIn(await byMail.delivery.takeEmailTo(email)), client);
  expect(verified.data.user?.id).toBe(own.data.user?.id);
});

test('the link of a stranger’s registration confirms the reader’s own, in the browser where they registered [K36]', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  await signUp(byMail, email, OWN, client);
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, STRANGER);
  const { tokenHash } = ownLinkIn(await byMail.delivery.takeEmailTo(email));
  expect((await client.auth.verifyOtp({ token_hash: tokenHash, type: 'signup' })).error).toBeNull();
  await expectEntered(byMail, client, email, OWN);
});

test('when a stranger’s request holds a message back, the earlier code proves the registration [K36]', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  await signUp(byMail, email, STRANGER);
  const { error } = await client.auth.signUp({ email, password: OWN.password, options: { data: OWN.data } });
  expect(error).toBeNull();
  expect((await verify(byMail, email, codeIn(await byMail.delivery.takeEmailTo(email)), client)).error).toBeNull();
  await expectEntered(byMail, client, email, OWN);
});

test('a stranger’s requests and sign-ins change no pending registration [K36]', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  await signUp(byMail, email, OWN, client);
  for (const [path, body] of [
    ['/otp', { email, data: STRANGER.data }],
    ['/otp', { email, data: STRANGER.data, create_user: false }],
    ['/resend', { type: 'signup', email }],
    ['/recover', { email }],
    ['/token?grant_type=password', { email, password: STRANGER.password }],
  ] as const) {
    clock.advance(60_000);
    await callAuth(byMail, 'POST', path, body);
  }
  const own = codeIn(await byMail.delivery.takeEmailTo(email));
  expect((await verify(byMail, email, own, client)).error).toBeNull();
  await expectEntered(byMail, client, email, OWN);
});

test.each(['a link', 'a code'])('%s carries no details into a browser where none were entered [K36]', async (form) => {
  const email = anEmail();
  await signUp(byMail, email, { ...STRANGER, data: { ...STRANGER.data, phone: aPhone(), qr_id: createTagCode() } });
  const mail = await byMail.delivery.takeEmailTo(email);
  const reader = byMail.client();
  // Another address makes it a browser that the service has seen.
  await signUp(byMail, anEmail(), OWN, reader);
  const verified =
    form === 'a link'
      ? await reader.auth.verifyOtp({ token_hash: ownLinkIn(mail).tokenHash, type: 'signup' })
      : await verify(byMail, email, codeIn(mail), reader);
  const { user } = verified.data;
  expect(user?.app_metadata).toMatchObject({ password_needed: true });
  expect(user?.user_metadata).toEqual({ email, email_verified: true, phone_verified: false, sub: user?.id });
  expect(user?.identities?.[0]?.identity_data).toEqual(user?.user_metadata);
  expect(await database.query('select full_name, phone from public.profiles where id = $1', [user?.id])).toEqual([
    { full_name: null, phone: null },
  ]);
  expect(await database.query('select from public.items where user_id = $1', [user?.id])).toEqual([]);
  expect(await signIn(byMail, email, STRANGER)).toBe('invalid_credentials');
});

test('a user who registers again in the same browser gets the latest details', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  const first = await signUp(byMail, email, { password: 'a first thought', data: { full_name: 'Oliv' } }, client);
  const second = await signUp(byMail, email, OWN, client);
  expect(second.data.user?.id).toBe(first.data.user?.id);
  clock.advance(60_000);
  await client.auth.signInWithOtp({ email });
  const mails = [];
  for (let at = 0; at < 3; at += 1) mails.push(await byMail.delivery.takeEmailTo(email));
  expect((await verify(byMail, email, codeIn(mails[2] ?? { text: '' }), client)).error).toBeNull();
  await expectEntered(byMail, client, email, OWN);
  expect(await signIn(byMail, email, { ...OWN, password: 'a first thought' })).toBe('invalid_credentials');
});

test('before the proof each password is refused as unconfirmed, however many other registrations wait [K36]', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  for (let at = 0; at < 33; at += 1) await fill(email, `password ${at}`);
  await signUp(byMail, email, OWN, client);
  const attempt = await client.auth.signInWithPassword({ email, password: OWN.password });
  expect(attempt.error?.code).toBe('email_not_confirmed');
});

/** A registration in a browser of its own, from a network address of its own. */
async function fill(email: string, password: string): Promise<void> {
  const body = { email, password, data: STRANGER.data };
  expect(await callAuth(byMail, 'POST', '/signup', body)).toMatchObject({ status: 200 });
}

/** Registers in one browser after the other until a registration of `email` is the last that is kept. */
async function fillUp(email: string): Promise<void> {
  await fill(email, 'the first password');
  await database.query(
    `insert into auth.users (aud, role, encrypted_password, raw_user_meta_data, claimed_email, registered_on)
       select aud, role, encrypted_password, raw_user_meta_data, claimed_email, sha256(n::text::bytea)
         from (select * from auth.users where claimed_email = $1 order by created_at desc limit 1) as last,
           generate_series(1, $2 - (select count(*)::integer from auth.users where claimed_email = $1) - 1) as n`,
    [email, MOST_REGISTRATIONS],
  );
  await fill(email, 'the last password');
}

test('a crowd of registrations does not displace earlier ones, and a later user enters their details after the proof [K36]', async () => {
  const email = anEmail();
  const [early, late] = [byMail.client(), byMail.client()];
  await signUp(byMail, email, OWN, early);
  await fillUp(email);
  await fill(email, 'one too many');
  const waiting = 'select from auth.users where claimed_email = $1';
  expect(await database.query(waiting, [email])).toHaveLength(MOST_REGISTRATIONS);
  const other = anEmail();
  await fillUp(other);
  const registered = await signUp(byMail, other, OWN, late);
  expect(registered.data.user).toMatchObject({ email: other, user_metadata: OWN.data });
  expect(await database.query('select from auth.users where id = $1', [registered.data.user?.id])).toEqual([]);

  const earlyCode = codeIn(await byMail.delivery.takeEmailTo(email));
  expect((await verify(byMail, email, earlyCode, early)).error).toBeNull();
  await expectEntered(byMail, early, email, OWN);

  const sent = byMail.delivery.emails.filter(({ to }) => to === other).at(-1);
  const verified = await verify(byMail, other, codeIn(sent ?? { text: '' }), late);
  expect(verified.data.user?.app_metadata).toMatchObject({ password_needed: true });
  expect(JSON.stringify(verified.data)).not.toContain('Mallory');
  expect(await database.query(waiting, [other])).toEqual([]);
});

test('another registration does not reset the count of wrong codes [K36]', async () => {
  const email = anEmail();
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  await database.query(
    'insert into auth.code_failures (user_id, in_a_row) select id, $2 from auth.users where claimed_email = $1',
    [email, MOST_FAILURES_IN_A_ROW],
  );
  await signUp(byMail, email, STRANGER);
  expect((await byMail.delivery.takeEmailTo(email)).subject).not.toMatch(/\d{6}/);
});

test('a guess is compared with the recipient’s newest code and the newest code of its own browser [K36]', async () => {
  const email = anEmail();
  const clients = [byMail.client(), byMail.client(), byMail.client()] as const;
  const codes = [];
  for (const client of clients) {
    await signUp(byMail, email, OWN, client);
    codes.push(codeIn(await byMail.delivery.takeEmailTo(email)));
  }
  const [first = '', second = ''] = codes;
  expect((await verify(byMail, email, second, clients[0])).error).toMatchObject(REFUSED);
  expect((await verify(byMail, email, first, clients[0])).error).toBeNull();
});

test('an account that an operator made keeps its id and rights, and takes what its reader entered [K36]', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  const { admin } = byMail.client({ key: secrets.secretKey }).auth;
  const invited = await admin.inviteUserByEmail(email, { data: { full_name: 'As invited' } });
  expect(invited.error).toBeNull();
  const id = invited.data.user?.id ?? '';
  await admin.updateUserById(id, { app_metadata: { role: 'keeper' } });
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  expect((await admin.getUserById(id)).data.user?.user_metadata).toMatchObject({ full_name: 'As invited' });
  await signUp(byMail, email, OWN, client);
  const verified = await verify(byMail, email, codeIn(await byMail.delivery.takeEmailTo(email)), client);
  expect(verified.data.user).toMatchObject({ id, app_metadata: { role: 'keeper' } });
  await expectEntered(byMail, client, email, OWN);
});

test.each(['mail', 'hidden', 'sms'] as const)(
  'for clients without cookies a code keeps no details after two registrations: by %s [K36]',
  async (name) => {
    const on = servers[name];
    const email = anEmail();
    const number = name === 'sms' ? { phone: aPhone() } : {};
    const own = { ...OWN, data: { ...OWN.data, ...number, qr_id: createTagCode() } };
    await signUp(on, email, own);
    const first = codeIn(await proofFor(on, email, own));
    await signUp(on, email, { ...STRANGER, data: { ...STRANGER.data, ...number, qr_id: createTagCode() } });
    await proofFor(on, email, own);
    await resend(on, email);
    const third = codeIn(await proofFor(on, email, own));
    if (first !== third) expect((await verify(on, email, first)).error).toMatchObject(REFUSED);

    const verified = await verify(on, email, third);
    expect(verified.data.user?.app_metadata).toMatchObject({ password_needed: true });
    const { user_metadata: metadata, id } = verified.data.user ?? {};
    for (const entered of ['full_name', 'team', 'planted', 'qr_id']) expect(metadata).not.toHaveProperty(entered);
    expect(metadata?.phone).toBe(number.phone);
    const details = [{ full_name: null, phone: number.phone ?? null }];
    expect(await database.query('select full_name, phone from public.profiles where id = $1', [id])).toEqual(details);
    expect(await database.query('select from public.items where user_id = $1', [id]), 'nobody’s tag code').toEqual([]);
    for (const one of [OWN, STRANGER]) expect(await signIn(on, email, one)).toBe('invalid_credentials');
  },
);

test('the user who proved the address sets a password, and no other one works', async () => {
  const email = anEmail();
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, OWN);
  const client = byMail.client();
  const code = codeIn(await byMail.delivery.takeEmailTo(email));
  expect((await verify(byMail, email, code, client)).error).toBeNull();
  const { data, error } = await client.auth.updateUser({ password: 'chosen afterwards' });
  expect(error).toBeNull();
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  expect(await signIn(byMail, email, { ...OWN, password: 'chosen afterwards' })).toBeUndefined();
  for (const details of [OWN, STRANGER]) expect(await signIn(byMail, email, details)).toBe('invalid_credentials');
});

test('without cookies a registration with the same password keeps its details: no one else could have entered it', async () => {
  const [email, client] = [anEmail(), byMail.client()];
  await signUp(byMail, email, { ...OWN, data: { full_name: 'Oliv' } });
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, OWN);
  const code = codeIn(await byMail.delivery.takeEmailTo(email));
  expect((await verify(byMail, email, code, client)).error).toBeNull();
  await expectEntered(byMail, client, email, OWN);
});

test('for clients without cookies a repeated request for a code is not another registration', async () => {
  const email = anEmail();
  const data = { full_name: 'Olive Owner' };
  for (let at = 0; at < 2; at += 1) {
    clock.advance(60_000);
    await callAuth(byMail, 'POST', '/otp', { email, data });
    await byMail.delivery.takeEmailTo(email);
  }
  await resend(byMail, email);
  const verified = await verify(byMail, email, codeIn(await byMail.delivery.takeEmailTo(email)));
  expect(verified.data.user?.user_metadata).toMatchObject(data);
  expect(verified.data.user?.app_metadata, 'it never had a password').not.toHaveProperty('password_needed');
});

test('an address that was registered twice gets the same response as one registered once or never', async () => {
  const [twice, once, never] = [anEmail(), anEmail(), anEmail()];
  for (const email of [twice, twice, once]) await signUp(byMail, email, OWN);
  clock.advance(60_000);
  const responses = [];
  for (const email of [twice, once, never]) {
    const { status, headers, body } = await callAuth(byMail, 'POST', '/resend', { type: 'signup', email });
    responses.push({ status, names: [...headers.keys()].sort(), body });
  }
  expect(responses[0]).toMatchObject({ status: 200, body: {} });
  expect(responses[1]).toEqual(responses[0]);
  expect(responses[2]).toEqual(responses[0]);
});
