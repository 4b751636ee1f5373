import { expect, test } from 'vitest';
import { createPasswordHasher } from '#server/auth/accounts/passwords.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock, auth: { passwords: createPasswordHasher() } });

/** Matches the code on its own, not within a longer number or an id. */
function alone(code: string): RegExp {
  return new RegExp(`(?<![\\da-f.-])${code}(?![\\da-f-])`);
}

test('an account signs up, verifies, reads its user, refreshes, signs out, and signs in again through the official client', async () => {
  const client = server.client();
  const [email, phone, qrId] = [anEmail(), aPhone(), createTagCode()];
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));

  const signedUp = await client.auth.signUp({
    email: ` ${email.toUpperCase()} `,
    password: 'correct horse',
    options: { data: { full_name: 'Olive Owner', phone, qr_id: qrId } },
  });
  expect(signedUp.error).toBeNull();
  expect(signedUp.data.session).toBeNull();
  expect(signedUp.data.user).toMatchObject({
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: {
      full_name: 'Olive Owner',
      phone,
      qr_id: qrId,
      email,
      email_verified: false,
      phone_verified: false,
    },
    is_anonymous: false,
  });
  const userId = signedUp.data.user?.id;
  expect(signedUp.data.user?.user_metadata).toMatchObject({ sub: userId });
  expect(signedUp.data.user?.identities).toMatchObject([
    { id: userId, user_id: userId, provider: 'email', email, identity_data: { sub: userId, email_verified: false } },
  ]);
  expect(signedUp.data.user).not.toHaveProperty('confirmed_at');
  expect(signedUp.data.user).not.toHaveProperty('last_sign_in_at');
  expect(signedUp.data.user?.confirmation_sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);

  // Not before the code.
  expect((await client.auth.signInWithPassword({ email, password: 'correct horse' })).error?.code).toBe(
    'email_not_confirmed',
  );

  const sms = server.delivery.texts.at(-1);
  expect(sms?.to).toBe(phone);
  const token = server.delivery.codeFor(phone);
  expect(sms?.text.split('\n').at(-1)).toBe(`@${new URL(server.url).hostname} #${token}`);
  expect(sms?.key).toMatch(new RegExp(`^code:${userId}:.+`));

  const verified = await client.auth.verifyOtp({ email, token, type: 'signup' });
  expect(verified.error).toBeNull();
  expect(verified.data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  expect(verified.data.user).toMatchObject({
    phone: phone.slice(1),
    user_metadata: { phone_verified: true, email_verified: false },
  });
  expect(verified.data.user).not.toHaveProperty('email_confirmed_at');
  expect(verified.data.user?.confirmed_at).toBe(verified.data.user?.phone_confirmed_at);
  expect(events).toContain('SIGNED_IN');

  expect(
    await database.query('select qr_id, item_name, item_type, description from public.items where user_id = $1', [
      userId,
    ]),
  ).toEqual([
    { qr_id: qrId, item_name: 'My Tagged Item', item_type: 'other', description: 'Item tagged during registration' },
  ]);
  expect(await database.query('select full_name, email, phone from public.profiles where id = $1', [userId])).toEqual([
    { full_name: 'Olive Owner', email, phone },
  ]);

  expect((await client.auth.getUser()).data.user).toMatchObject({ id: userId, email });
  const claims = (await client.auth.getClaims()).data?.claims;
  expect(claims).toMatchObject({
    iss: `${server.url}/auth/v1`,
    sub: userId,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: phone.slice(1),
    aal: 'aal1',
    amr: [{ method: 'otp' }],
    is_anonymous: false,
    app_metadata: { provider: 'email' },
    user_metadata: { full_name: 'Olive Owner' },
  });
  expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(3600);

  clock.advance(60_000);
  const before = verified.data.session;
  const refreshed = await client.auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.session?.refresh_token).not.toBe(before?.refresh_token);
  expect(refreshed.data.session?.access_token).not.toBe(before?.access_token);
  const again = (await client.auth.getClaims()).data?.claims;
  expect(again?.session_id).toBe(claims?.session_id);
  expect(again?.amr).toEqual(claims?.amr);

  expect((await client.auth.signOut()).error).toBeNull();
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  const late = await client.auth.getUser(refreshed.data.session?.access_token);
  expect(late.error?.name).toBe('AuthSessionMissingError');
  const replay = await client.auth.refreshSession({ refresh_token: refreshed.data.session?.refresh_token ?? '' });
  expect(replay.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });

  const signedIn = await client.auth.signInWithPassword({ email, password: 'correct horse' });
  expect(signedIn.error).toBeNull();
  expect(signedIn.data.user?.last_sign_in_at).toBe(new Date(Date.now()).toISOString());
  expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'password' }]);
});

test('the log contains no address, number, code, password, or token', async () => {
  const client = server.client();
  const [email, phone, password] = [anEmail(), aPhone(), 'canary-password-7f3a'];
  await client.auth.signUp({ email, password, options: { data: { phone, full_name: 'Canary Name' } } });
  const token = server.delivery.codeFor(phone);
  await client.auth.verifyOtp({ email, token: token === '000001' ? '000002' : '000001', type: 'signup' });
  const { data } = await client.auth.verifyOtp({ email, token, type: 'signup' });
  await client.auth.signInWithPassword({ email, password: `${password}-wrong` });
  const log = server.logged.join('');
  expect(log).toContain('answered');
  const secrets = [
    email,
    phone.slice(1),
    password,
    alone(token),
    'Canary',
    data.session?.access_token ?? '?',
    data.session?.refresh_token ?? '?',
  ];
  for (const secret of secrets) expect(log).not.toMatch(secret);
});

test('the database holds no code, password or refresh token that could be used', async () => {
  const client = server.client();
  const [email, phone, password] = [anEmail(), aPhone(), 'canary-password-51bc'];
  await client.auth.signUp({ email, password, options: { data: { phone } } });
  const token = server.delivery.codeFor(phone);
  const pending = await database.query(
    'select * from auth.one_time_tokens join auth.users as account on account.id = user_id where claimed_email = $1',
    [email],
  );
  expect(pending).toHaveLength(1);
  expect(JSON.stringify(pending)).not.toMatch(alone(token));
  const { data } = await client.auth.verifyOtp({ email, token, type: 'signup' });
  const dump = JSON.stringify([
    await database.query('select * from auth.users where claimed_email = $1', [email]),
    await database.query(
      'select *, encode(token_hash, $1) as hex, encode(token_hash, $2) as base64 from auth.refresh_tokens',
      ['hex', 'base64'],
    ),
  ]);
  expect(dump).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  expect(dump).not.toContain(password);
  expect(dump).not.toContain(data.session?.refresh_token);
});
