import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { enroll, setUpFactor, show } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

async function signIn({ email, password }: RegisteredOwner) {
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { client, session: data.session };
}

async function bearerOf(client: RegisteredOwner['client']) {
  const { data } = await client.auth.getSession();
  return { Authorization: `Bearer ${data.session?.access_token}` };
}

test('an authenticator app is set up: QR code and secret are shown once, and its first code verifies it', async () => {
  const owner = await registerOwner(server);
  const elsewhere = await signIn(owner);
  const { data } = await owner.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' });
  expect(data).toMatchObject({
    type: 'totp',
    friendly_name: 'My phone',
    totp: {
      qr_code: expect.stringMatching(/^data:image\/svg\+xml;utf-8,<svg /),
      uri: expect.stringContaining('otpauth://totp/Reunite:'),
    },
  });
  expect((await owner.client.auth.mfa.listFactors()).data).toMatchObject({
    all: [{ status: 'unverified', friendly_name: 'My phone', factor_type: 'totp' }],
    totp: [],
  });
  await owner.client.auth.mfa.unenroll({ factorId: data?.id ?? '' });

  const app = await enroll(owner.client, clock, 'My phone');
  const before = (await owner.client.auth.getSession()).data.session;
  const { data: raised, error } = await owner.client.auth.mfa.challengeAndVerify({
    factorId: app.factorId,
    code: app.code(),
  });
  expect(error).toBeNull();
  const claims = decodeJwt(raised?.access_token ?? '');
  expect(claims).toMatchObject({ aal: 'aal2', session_id: decodeJwt(before?.access_token ?? '').session_id });
  expect(claims.amr).toEqual([
    { method: 'totp', timestamp: Math.floor(clock.now() / 1000) },
    expect.objectContaining({ method: 'otp' }),
  ]);
  expect(raised?.user.factors).toMatchObject([{ id: app.factorId, status: 'verified' }]);
  expect((await owner.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  });
  // What was signed in without it is signed out.
  expect((await elsewhere.client.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' });

  const { data: refreshed } = await owner.client.auth.refreshSession();
  expect(decodeJwt(refreshed.session?.access_token ?? '')).toMatchObject({ aal: 'aal2', amr: claims.amr });
});

test('a password alone ends no session that has shown the second factor [B19]', async () => {
  const owner = await registerOwner(server);
  await setUpFactor(owner.client, clock);
  const before = await bearerOf((await signIn(owner)).client);
  for (const scope of ['others', 'global']) {
    const [thief, half] = [await signIn(owner), await signIn(owner)];
    const { status } = await callAuth(
      server,
      'POST',
      `/logout?scope=${scope}`,
      undefined,
      await bearerOf(thief.client),
    );
    expect(status).toBe(204);
    expect((await owner.client.auth.getUser()).error, scope).toBeNull();
    expect((await half.client.auth.getUser()).error?.name, 'it ends its like').toBe('AuthSessionMissingError');
    expect((await thief.client.auth.getUser()).error === null).toBe(scope === 'others');
  }
  expect((await callAuth(server, 'GET', '/user', undefined, before)).status).toBe(403);
});

test('a password without its second factor is a visitor: it reads and changes nothing until the factor is shown [B19]', async () => {
  const owner = await registerOwner(server, { data: { qr_id: 'tgt-second-factor-000001' } });
  const app = await setUpFactor(owner.client, clock);
  const { client } = await signIn(owner);
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });

  expect((await client.from('items').select()).data).toEqual([]);
  expect((await client.from('profiles').select()).data).toEqual([]);
  expect((await client.from('profiles').update({ full_name: 'Thief' }).eq('id', owner.user.id)).error).toMatchObject({
    code: '42501',
  });
  expect((await client.rpc('list_sessions')).error).toMatchObject({ code: '42501' });
  expect((await client.rpc('make_recovery_codes')).error).toMatchObject({ code: '42501' });
  // A session without its second factor is still a finder's.
  expect((await client.rpc('find_item', { qr_id_param: 'tgt-second-factor-000001' })).data).toMatchObject({
    item_name: 'My Tagged Item',
  });

  for (const change of [
    { email: 'thief@example.com' },
    { phone: aPhone() },
    { password: 'a thief’s password' },
    { data: { full_name: 'Thief' } },
  ]) {
    expect(
      await callAuth(server, 'PUT', '/user', change, await bearerOf(client)),
      JSON.stringify(change),
    ).toMatchObject({
      status: 401,
      body: {
        code: 'insufficient_aal',
        message: 'AAL2 session is required to update email or password when MFA is enabled.',
      },
    });
  }
  expect(await callAuth(server, 'POST', '/factors', { factor_type: 'totp' }, await bearerOf(client))).toMatchObject({
    status: 403,
    body: { code: 'insufficient_aal', message: 'AAL2 required to enroll a new factor' },
  });
  expect(await callAuth(server, 'DELETE', `/factors/${app.factorId}`, undefined, await bearerOf(client))).toMatchObject(
    {
      status: 422,
      body: { code: 'insufficient_aal', message: 'AAL2 required to unenroll verified factor' },
    },
  );

  await show(client, clock, app);
  expect((await client.from('items').select('item_name')).data).toEqual([{ item_name: 'My Tagged Item' }]);
  expect((await client.rpc('list_sessions')).data).toHaveLength(2);
  expect((await client.auth.mfa.unenroll({ factorId: app.factorId })).error).toBeNull();
});

test('a token issued before the second factor was set up becomes a visitor’s', async () => {
  const owner = await registerOwner(server);
  const before = (await bearerOf(owner.client)).Authorization;
  const read = async () =>
    (
      await server.request('/rest/v1/profiles?select=full_name', {
        headers: { apikey: server.secrets.publishableKey, Authorization: before },
      })
    ).json();
  expect(await read()).toHaveLength(1);
  await setUpFactor(owner.client, clock);
  await expect.poll(read).toEqual([]);
  const { data } = await owner.client.from('profiles').select();
  expect(data).toHaveLength(1);
});

test('a code is accepted once, and no older one after it; one step early or late, not two [B19]', async () => {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const refused = { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered', status: 422 };
  const attempt = async (code: string) =>
    (await owner.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code })).error;

  // Two of the steps around may have one code.
  while (new Set([-1, 0, 1, 2, 3, 4, 5].map(app.code)).size < 7) clock.advance(30_000);
  const used = app.code();
  expect(await attempt(used)).toBeNull();
  expect(await attempt(used)).toMatchObject(refused);
  expect(await attempt(app.code(-1))).toMatchObject(refused);
  clock.advance(90_000);
  expect(await attempt(app.code(-2))).toMatchObject(refused);
  expect(await attempt(app.code(2))).toMatchObject(refused);
  expect(await attempt(app.code(-1))).toBeNull();
  expect(await attempt(app.code(1))).toBeNull();
});

test('a clock that is set back makes no used code valid [I59]', async () => {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const attempt = async (code: string) =>
    (await owner.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code })).error;
  const used = app.code();
  expect(await attempt(used)).toBeNull();
  clock.advance(-3_600_000);
  for (const code of [app.code(), used]) expect(await attempt(code)).toMatchObject({ code: 'mfa_verification_failed' });
  clock.advance(3_600_000 + 90_000);
  expect(await attempt(app.code())).toBeNull();
});

test('of many sessions that use one code at once, one is raised', async () => {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const clients = await Promise.all(Array.from({ length: 5 }, async () => (await signIn(owner)).client));
  const code = app.code();
  const outcomes = await Promise.all(
    clients.map(async (client) => (await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code })).error),
  );
  expect(outcomes.filter((error) => error === null)).toHaveLength(1);
});

test('a challenge allows five attempts in five minutes, and a day thirty wrong codes [B19]', async () => {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  const { factorId } = app;
  const challenge = async () => (await owner.client.auth.mfa.challenge({ factorId })).data;
  const verify = async (challengeId: string, code: string) =>
    (await owner.client.auth.mfa.verify({ factorId, challengeId, code })).error;

  const first = await challenge();
  expect(first).toMatchObject({ type: 'totp', expires_at: Math.floor(clock.now() / 1000) + 300 });
  const id = first?.id ?? '';
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(await verify(id, app.wrongCode())).toMatchObject({ code: 'mfa_verification_failed' });
  }
  expect(await verify(id, app.code())).toMatchObject({
    status: 422,
    code: 'mfa_challenge_expired',
    message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  });

  const late = (await challenge())?.id ?? '';
  clock.advance(300_000);
  expect(await verify(late, app.code())).toMatchObject({ code: 'mfa_challenge_expired' });

  for (let attempt = 6; attempt <= 30; attempt += 1) {
    expect(await verify((await challenge())?.id ?? '', app.wrongCode())).toMatchObject({
      code: 'mfa_verification_failed',
    });
  }
  expect(await verify((await challenge())?.id ?? '', app.code())).toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
  });
  const [logged] = await database.query<{ times: number }>(
    `select sum(times)::int as times from auth.audit_log where event = 'second_factor_failed' and user_id = $1`,
    [owner.user.id],
  );
  expect(logged?.times).toBe(30);
});

test('of many simultaneous wrong codes at most thirty are compared', async () => {
  const owner = await registerOwner(server);
  const { factorId, code, wrongCode } = await setUpFactor(owner.client, clock);
  const { mfa } = owner.client.auth;
  const challenges = await Promise.all(Array.from({ length: 8 }, () => mfa.challenge({ factorId })));
  const guesses = challenges.flatMap(({ data }) => Array<string>(5).fill(data?.id ?? ''));
  const outcomes = await Promise.all(
    guesses.map((challengeId) => mfa.verify({ factorId, challengeId, code: wrongCode() })),
  );
  const reported = (name: string) => outcomes.filter(({ error }) => error?.code === name).length;
  expect([reported('mfa_verification_failed'), reported('over_request_rate_limit')]).toEqual([30, 10]);
  const [logged] = await database.query<{ times: number }>(
    `select sum(times)::int as times from auth.audit_log where event = 'second_factor_failed' and user_id = $1`,
    [owner.user.id],
  );
  expect(logged?.times).toBe(30);
  clock.advance(86_400_000);
  await owner.client.auth.refreshSession();
  const { error } = await mfa.challengeAndVerify({ factorId, code: code() });
  expect(error, 'a day later').toBeNull();
});

test('a caller cannot verify another account’s challenge, another session’s challenge, or reach another account’s factor [B19]', async () => {
  const [owner, other] = [await registerOwner(server), await registerOwner(server)];
  const app = await setUpFactor(owner.client, clock);
  const others = await setUpFactor(other.client, clock);
  const { client: elsewhere } = await signIn(owner);
  const mine = (await owner.client.auth.mfa.challenge({ factorId: app.factorId })).data?.id ?? '';
  const theirs = (await other.client.auth.mfa.challenge({ factorId: others.factorId })).data?.id ?? '';
  const notThere = {
    status: 422,
    code: 'mfa_factor_not_found',
    message: 'MFA factor with the provided challenge ID not found',
  };
  const response = async (client: RegisteredOwner['client'], challengeId: string) =>
    (await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code() })).error;
  expect(await response(owner.client, theirs)).toMatchObject(notThere);
  expect(await response(elsewhere, mine)).toMatchObject(notThere);
  for (const error of [
    (await other.client.auth.mfa.challenge({ factorId: app.factorId })).error,
    (await other.client.auth.mfa.unenroll({ factorId: app.factorId })).error,
  ]) {
    expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' });
  }
  expect(await response(owner.client, mine)).toBeNull();
});

test('a set-up that a thief began before cannot be finished with the password alone [B19]', async () => {
  const owner = await registerOwner(server);
  const planted = await enroll(owner.client, clock, 'planted');
  await database.query(
    "insert into auth.mfa_factors (user_id, factor_type, phone, status) values ($1, 'phone', '15005550001', 'verified')",
    [owner.user.id],
  );
  const { client } = await signIn(owner);
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: planted.factorId, code: planted.code() });
  expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
});

test('removing the factor lowers the session that had shown it, and frees the account', async () => {
  const owner = await registerOwner(server);
  const app = await setUpFactor(owner.client, clock);
  expect((await owner.client.auth.mfa.unenroll({ factorId: app.factorId })).data).toEqual({ id: app.factorId });
  const { data } = await owner.client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1' });
  expect(data.user?.factors).toBeUndefined();
  const { client } = await signIn(owner);
  expect((await client.from('profiles').select('id')).data).toHaveLength(1);
});

test('a phone is a second factor: the code goes by SMS, and verifies its own challenge alone', async () => {
  const owner = await registerOwner(server);
  const phone = aPhone();
  const { data } = await owner.client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Work' });
  expect(data).toMatchObject({ type: 'phone', phone: phone.slice(1), friendly_name: 'Work' });
  const factorId = data?.id ?? '';
  const first = (await owner.client.auth.mfa.challenge({ factorId })).data?.id ?? '';
  const early = server.delivery.codeFor(phone);
  const second = (await owner.client.auth.mfa.challenge({ factorId })).data?.id ?? '';
  const code = server.delivery.codeFor(phone);
  if (early !== code) {
    expect((await owner.client.auth.mfa.verify({ factorId, challengeId: second, code: early })).error).toMatchObject({
      code: 'mfa_verification_failed',
      message: 'Invalid MFA Phone code entered',
    });
  }
  const { data: raised } = await owner.client.auth.mfa.verify({ factorId, challengeId: second, code });
  expect(decodeJwt(raised?.access_token ?? '')).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, {}] });
  expect((await owner.client.auth.mfa.verify({ factorId, challengeId: first, code: early })).error).toMatchObject({
    code: 'mfa_factor_not_found',
  });

  expect((await owner.client.auth.mfa.enroll({ factorType: 'phone', phone })).error).toMatchObject({
    status: 422,
    code: 'mfa_verified_factor_exists',
  });
});

test('an invalid set-up is refused with the protocol’s error', async () => {
  const owner = await registerOwner(server);
  const headers = await bearerOf(owner.client);
  const post = (path: string, body: unknown) => callAuth(server, 'POST', path, body, headers);
  for (const [path, body, status, code, message] of [
    ['/factors', { factor_type: 'u2f' }, 400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn'],
    [
      '/factors',
      { factor_type: 'phone', phone: '12' },
      400,
      'validation_failed',
      'Invalid phone number format (E.164 required)',
    ],
    ['/factors/x/challenge', {}, 404, 'validation_failed', 'factor_id must be an UUID'],
    [`/factors/${owner.user.id}/challenge`, {}, 404, 'mfa_factor_not_found', 'Factor not found'],
  ] as const) {
    expect(await post(path, body), path).toMatchObject({ status, body: { code, message } });
  }
  const app = await enroll(owner.client, clock, 'x');
  expect(await post(`/factors/${app.factorId}/verify`, { challenge_id: app.factorId, code: '' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Code needs to be non-empty' },
  });
  expect(await post('/factors', { factor_type: 'totp', friendly_name: 'x' })).toMatchObject({
    status: 422,
    body: {
      code: 'mfa_factor_name_conflict',
      message: 'A factor with the friendly name "x" for this user already exists',
    },
  });
  for (let factor = 2; factor <= 10; factor += 1)
    expect((await post('/factors', { factor_type: 'totp' })).status).toBe(200);
  expect(await post('/factors', { factor_type: 'totp' })).toMatchObject({
    status: 422,
    body: { code: 'too_many_enrolled_mfa_factors' },
  });
  // Unfinished enrollments are eventually deleted.
  clock.advance(5 * 60_000 + 1_000);
  expect((await post('/factors', { factor_type: 'totp', friendly_name: 'x' })).status).toBe(200);

  await database.query('update auth.users set is_anonymous = true where id = $1', [owner.user.id]);
  expect(await post('/factors', { factor_type: 'totp' })).toMatchObject({
    status: 403,
    body: { code: 'no_authorization' },
  });
});

test('the secret is in no table and no log in plain text', async () => {
  const owner = await registerOwner(server);
  const { data } = await owner.client.auth.mfa.enroll({ factorType: 'totp' });
  const secret = data?.type === 'totp' ? data.totp.secret : '';
  expect(secret).toHaveLength(32);
  expect(server.logged.join('\n')).not.toContain(secret);
  const [row] = await database.query<{ secret: Buffer }>('select secret from auth.mfa_factors where user_id = $1', [
    owner.user.id,
  ]);
  expect(row?.secret.length).toBe(12 + 16 + 20);
});
