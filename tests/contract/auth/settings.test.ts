import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const provider = {
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.example.com',
  clientId: 'reunite',
  clientSecret: 'secret',
};
const usual = await startTestServer(database, { clock });
const open = await startTestServer(database, {
  clock,
  environment: {
    ANONYMOUS_SIGN_INS: 'true',
    ACCESS_TOKEN_LIFE_SECONDS: '120',
    KEYLESS_REQUESTS: 'false',
    OIDC_PROVIDERS: JSON.stringify([provider]),
    SMS_WEBHOOK_URL: 'https://sms.example.org/send',
    SMS_WEBHOOK_SECRET: 's'.repeat(32),
  },
});

test('the settings match the configuration', async () => {
  expect((await callAuth(usual, 'GET', '/settings')).body).toMatchObject({
    external: { email: true, phone: false, anonymous_users: false, google: false, github: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: true,
  });
  expect((await callAuth(open, 'GET', '/settings')).body).toMatchObject({
    external: { anonymous_users: true, google: true, github: false },
    sms_provider: 'webhook',
  });
  expect((await callAuth(open, 'GET', '/health')).body).toMatchObject({ name: 'GoTrue', version: expect.any(String) });
});

test('anonymous sign-ins are refused unless the operator allows them', async () => {
  const { error } = await usual.client().auth.signInAnonymously();
  expect(error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
});

test('an anonymous visitor has an account, which an address and a password make theirs for good', async () => {
  const client = open.client();
  const { data, error } = await client.auth.signInAnonymously({ options: { data: { color: 'green' } } });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    email: '',
    is_anonymous: true,
    user_metadata: { color: 'green' },
    identities: [],
  });
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
    is_anonymous: true,
    role: 'authenticated',
    email: '',
    amr: [{ method: 'anonymous' }],
  });
  expect((await client.auth.refreshSession()).data.user?.id).toBe(data.user?.id);

  const email = anEmail();
  expect((await client.auth.updateUser({ email })).error).toBeNull();
  const { tokenHash } = ownLinkIn(await open.delivery.takeEmailTo(email));
  const proved = await client.auth.verifyOtp({ token_hash: tokenHash, type: 'email_change' });
  expect(proved.error).toBeNull();
  expect(proved.data.user).toMatchObject({
    id: data.user?.id,
    email,
    is_anonymous: false,
    app_metadata: { provider: 'email', providers: ['email'] },
  });
  expect((await client.auth.updateUser({ password: 'correct horse' })).error).toBeNull();
  const again = await open.client().auth.signInWithPassword({ email, password: 'correct horse' });
  expect(again.data.user?.id).toBe(data.user?.id);
});

test('a proved number makes an anonymous account permanent, as its next token says', async () => {
  const client = open.client();
  await client.auth.signInAnonymously();
  const phone = aPhone();
  expect((await client.auth.updateUser({ phone })).data.user).toMatchObject({ is_anonymous: true });
  const token = codeIn(await open.delivery.takeSmsTo(phone));
  const { data } = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
  expect(data.user).toMatchObject({
    phone: phone.slice(1),
    is_anonymous: false,
    app_metadata: { provider: 'phone', providers: ['phone'] },
    identities: [{ provider: 'phone', identity_data: { phone: phone.slice(1), phone_verified: true } }],
  });
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ is_anonymous: false });
});

test('an account that the operator gives an address, a number or a password is anonymous no longer', async () => {
  const operator = open.client({ key: open.secrets.secretKey }).auth.admin;
  for (const [change, isAnonymous] of [
    [{ email: anEmail() }, false],
    [{ phone: aPhone() }, false],
    [{ password: 'correct horse' }, false],
    [{ user_metadata: { color: 'green' } }, true],
  ] as const) {
    const client = open.client();
    const { data } = await client.auth.signInAnonymously();
    const changed = await operator.updateUserById(data.user?.id ?? '', change);
    expect(changed.data.user, JSON.stringify(change)).toMatchObject({ is_anonymous: isAnonymous });
  }
});

test('an anonymous visitor sees nothing of others', async () => {
  const owner = await registerOwner(open);
  const client = open.client();
  await client.auth.signInAnonymously();
  const { data } = await client.from('profiles').select('id').eq('id', owner.user.id);
  expect(data).toEqual([]);
});

test('tokens are valid as long as configured', async () => {
  const { session } = await registerOwner(open);
  const { iat = 0, exp = 0 } = decodeJwt(session.access_token);
  expect([session.expires_in, exp - iat]).toEqual([120, 120]);
});

test('where a key is required, calls without one are refused, calls with one are not, and links stay open', async () => {
  const { publishableKey } = open.secrets;
  for (const path of ['/auth/v1/settings', '/rest/v1/items', '/storage/v1/bucket', '/realtime/v1/api/broadcast']) {
    const bare = await open.request(path);
    expect([bare.status, await bare.json()], path).toEqual([401, { message: 'No API key found in request' }]);
    expect(bare.headers.get('access-control-allow-origin'), path).toBe('*');
    expect((await open.request(path, { headers: { apikey: 'sb_publishable_guess' } })).status, path).toBe(401);
    expect((await open.request(path, { headers: { apikey: publishableKey } })).status, path).not.toBe(401);
  }
  for (const path of [
    '/auth/v1/health',
    '/auth/v1/.well-known/jwks.json',
    '/auth/v1/verify?token=x&type=signup',
    '/auth/v1/callback',
    '/storage/v1/object/public/avatars/nobody.png',
    '/',
  ]) {
    expect((await open.request(path)).status, path).not.toBe(401);
  }
  const preflight = await open.request('/rest/v1/items', { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  expect((await usual.request('/rest/v1/items')).status, 'unless it is').toBe(200);
});
