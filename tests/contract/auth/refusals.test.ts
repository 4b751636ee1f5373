import { afterEach, expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { EMAIL_DOMAIN_DENYLIST: 'nowhere.example' } });
const email = anEmail();
const good = { email, password: 'correct horse' };
const challenge = 'a'.repeat(43);

type Row = readonly [
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  message: string | RegExp,
];

/** Method, path, body; then status, error code, and message of the refusal. */
const REFUSALS: readonly Row[] = [
  ['POST', '/signup', '{"email":', 400, 'bad_json', /^Could not parse request body as JSON: /],
  ['POST', '/signup', '', 400, 'bad_json', /^Could not parse request body as JSON: /],
  ['POST', '/signup', '[]', 400, 'bad_json', /^Could not parse request body as JSON: /],
  ['POST', '/signup', 'null', 400, 'bad_json', /^Could not parse request body as JSON: /],
  ['POST', '/signup', { email: 1, password: 'x' }, 400, 'validation_failed', 'email must be string'],
  ['POST', '/signup', { ...good, password: ['correct horse'] }, 400, 'validation_failed', 'password must be string'],
  ['POST', '/signup', { ...good, data: 'x' }, 400, 'validation_failed', 'data must be an object'],
  ['POST', '/signup', { ...good, data: ['x'] }, 400, 'validation_failed', 'data must be an object'],
  [
    'POST',
    '/signup',
    { ...good, data: { full_name: {} } },
    400,
    'validation_failed',
    'data.full_name must be a string',
  ],
  ['POST', '/signup', { ...good, data: { note: 'a\0b' } }, 400, 'validation_failed', /NUL or unpaired surrogates/],
  ['POST', '/signup', '{"email":"a@b.co","password":"\\ud800abcdef"}', 400, 'validation_failed', /unpaired surrogates/],
  ['POST', '/signup', `{"email":"a@b.co","data":{"\\u0000":1}}`, 400, 'validation_failed', /NUL/],
  [
    'POST',
    '/signup',
    `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    400,
    'validation_failed',
    /nested too deeply/,
  ],
  [
    'POST',
    '/signup',
    { ...good, data: { note: 'x'.repeat(9_000) } },
    400,
    'validation_failed',
    'User metadata is too large',
  ],
  ['POST', '/signup', 'x'.repeat(65_537), 413, 'request_entity_too_large', /larger than 64 KiB/],
  ['POST', '/signup', {}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  ['POST', '/signup', { data: {} }, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  ['POST', '/signup', { email }, 400, 'validation_failed', 'Signup requires a valid password'],
  ['POST', '/signup', { email, password: '' }, 400, 'validation_failed', 'Signup requires a valid password'],
  [
    'POST',
    '/signup',
    { ...good, phone: '+972501234567' },
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on signup.',
  ],
  [
    'POST',
    '/signup',
    { phone: '+972501234567', password: 'abcdef' },
    400,
    'phone_provider_disabled',
    'Phone signups are disabled',
  ],
  [
    'POST',
    '/signup',
    { phone: '+972501234567', password: 'abcdef', code_challenge: challenge, code_challenge_method: 's256' },
    400,
    'validation_failed',
    'PKCE not supported for phone signups',
  ],
  [
    'POST',
    '/signup',
    { ...good, code_challenge: challenge },
    400,
    'validation_failed',
    'PKCE flow requires code_challenge_method and code_challenge',
  ],
  [
    'POST',
    '/signup',
    { ...good, code_challenge: 'short', code_challenge_method: 's256' },
    400,
    'validation_failed',
    /^code_challenge must be/,
  ],
  [
    'POST',
    '/signup',
    { ...good, email: 'no address' },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    'POST',
    '/signup',
    { ...good, email: 'a@b' },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    'POST',
    '/signup',
    { ...good, email: 'a@b.co\r\nBcc: c@d.co' },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    'POST',
    '/signup',
    { ...good, email: `${'a'.repeat(65)}@example.com` },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    'POST',
    '/signup',
    { ...good, email: 'x@nowhere.example' },
    400,
    'email_address_invalid',
    'Email address "x@nowhere.example" is invalid',
  ],
  ['POST', '/signup', { ...good, email: 'x@mail.NOWHERE.example' }, 400, 'email_address_invalid', /is invalid$/],
  ['POST', '/signup', { email, password: 'short' }, 422, 'weak_password', 'Password should be at least 6 characters.'],
  [
    'POST',
    '/signup',
    { email, password: 'x'.repeat(73) },
    400,
    'validation_failed',
    'Password cannot be longer than 72 characters',
  ],
  [
    'POST',
    '/signup',
    { email, password: 'ä'.repeat(73) },
    400,
    'validation_failed',
    'Password cannot be longer than 72 characters',
  ],
  [
    'POST',
    '/signup',
    { ...good, data: { phone: '050 123' } },
    400,
    'validation_failed',
    'Invalid phone number format (E.164 required)',
  ],
  [
    'POST',
    '/signup',
    { ...good, data: { phone: 972501234567 } },
    400,
    'validation_failed',
    'Invalid phone number format (E.164 required)',
  ],
  [
    'POST',
    '/signup',
    { ...good, data: { phone: '+999123' } },
    400,
    'validation_failed',
    'Invalid phone number format (E.164 required)',
  ],
  ['POST', '/signup', { ...good, data: { qr_id: '../../etc' } }, 400, 'validation_failed', /^qr_id must have/],
  ['POST', '/signup', { ...good, data: { qr_id: 'x'.repeat(65) } }, 400, 'validation_failed', /^qr_id must have/],

  ['POST', '/token?grant_type=magic', good, 400, 'invalid_credentials', 'unsupported_grant_type'],
  ['POST', '/token?grant_type=id_token', good, 400, 'provider_disabled', 'Provider is not enabled'],
  ['POST', '/token?grant_type=web3', good, 422, 'web3_provider_disabled', 'Web3 provider is disabled'],
  ['POST', '/sso', { domain: 'x.example' }, 404, 'saml_provider_disabled', 'SAML 2.0 is disabled'],
  [
    'POST',
    '/signup',
    { email: 'a', password: '123456' },
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
  ],
  [
    'POST',
    '/verify',
    { type: 'sms', phone: '15550100-x', token: '123456' },
    400,
    'validation_failed',
    'Invalid phone number format (E.164 required)',
  ],
  ['POST', '/token', good, 400, 'invalid_credentials', 'unsupported_grant_type'],
  [
    'POST',
    '/token?grant_type=password&grant_type=refresh_token',
    good,
    400,
    'invalid_credentials',
    'unsupported_grant_type',
  ],
  [
    'POST',
    '/token?grant_type=pkce',
    { auth_code: 'x' },
    400,
    'validation_failed',
    'invalid request: both auth code and code verifier should be non-empty',
  ],
  [
    'POST',
    '/token?grant_type=pkce',
    { auth_code: 'x', code_verifier: 'y' },
    404,
    'flow_state_not_found',
    'invalid flow state, no valid flow state found',
  ],
  ['POST', '/token?grant_type=password', good, 400, 'invalid_credentials', 'Invalid login credentials'],
  [
    'POST',
    '/token?grant_type=password',
    { email, password: 'x'.repeat(900) },
    400,
    'invalid_credentials',
    'Invalid login credentials',
  ],
  ['POST', '/token?grant_type=password', { email }, 400, 'invalid_credentials', 'Invalid login credentials'],
  ['POST', '/token?grant_type=password', { password: 'x' }, 400, 'validation_failed', 'missing email or phone'],
  [
    'POST',
    '/token?grant_type=password',
    { ...good, phone: '+972501234567' },
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on login.',
  ],
  [
    'POST',
    '/token?grant_type=password',
    { phone: '0501', password: 'x' },
    400,
    'validation_failed',
    'Invalid phone number format (E.164 required)',
  ],
  ['POST', '/token?grant_type=refresh_token', {}, 400, 'validation_failed', 'Refresh token is not valid'],
  [
    'POST',
    '/token?grant_type=refresh_token',
    { refresh_token: 'nonsense' },
    400,
    'validation_failed',
    'Refresh token is not valid',
  ],
  [
    'POST',
    '/token?grant_type=refresh_token',
    { refresh_token: { a: 1 } },
    400,
    'validation_failed',
    'refresh_token must be string',
  ],
  [
    'POST',
    '/token?grant_type=refresh_token',
    { refresh_token: 'abcdef123456' },
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ],

  ['POST', '/otp', {}, 400, 'validation_failed', 'One of email or phone must be set'],
  [
    'POST',
    '/otp',
    { email, phone: '+972501234567' },
    400,
    'validation_failed',
    'Only an email address or phone number should be provided',
  ],
  [
    'POST',
    '/otp',
    { email, channel: 'sms' },
    400,
    'validation_failed',
    'Channel should only be specified with Phone OTP',
  ],
  [
    'POST',
    '/otp',
    { phone: '+972501234567', channel: 'fax' },
    400,
    'validation_failed',
    /^Invalid channel, supported values are 'sms' or 'whatsapp'/,
  ],
  ['POST', '/otp', { phone: 'call me' }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
  ['POST', '/otp', { email, create_user: 'yes' }, 400, 'validation_failed', 'create_user must be boolean'],

  ['POST', '/verify', { token: '123456', email }, 400, 'validation_failed', 'Verify requires a verification type'],
  [
    'POST',
    '/verify',
    { type: 'signup', email },
    400,
    'validation_failed',
    'Verify requires either a token or a token hash',
  ],
  [
    'POST',
    '/verify',
    { type: 'signup', token: '123456' },
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on verify',
  ],
  [
    'POST',
    '/verify',
    { type: 'signup', token: '123456', email, phone: '+972501234567' },
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on verify',
  ],
  [
    'POST',
    '/verify',
    { type: 'signup', token_hash: 'abc', email },
    400,
    'validation_failed',
    'Only the token_hash and type should be provided',
  ],
  [
    'POST',
    '/verify',
    { type: '__proto__', token: '123456', email },
    400,
    'validation_failed',
    'Unsupported verification type',
  ],
  [
    'POST',
    '/verify',
    { type: 'signup', token: '123456', email },
    403,
    'otp_expired',
    'Token has expired or is invalid',
  ],
  [
    'POST',
    '/verify',
    { type: 'sms', token: '123456', phone: '+972501234567' },
    403,
    'otp_expired',
    'Token has expired or is invalid',
  ],
  [
    'POST',
    '/verify',
    { type: 'signup', token_hash: 'pkce_abc' },
    403,
    'otp_expired',
    'Email link is invalid or has expired',
  ],

  [
    'POST',
    '/resend',
    { email },
    400,
    'validation_failed',
    'Missing one of these types: signup, email_change, sms, phone_change',
  ],
  ['POST', '/resend', { type: 'signup' }, 400, 'validation_failed', 'Missing email address or phone number'],
  [
    'POST',
    '/resend',
    { type: 'signup', phone: '+972501234567' },
    400,
    'validation_failed',
    'Type provided requires an email address',
  ],
  ['POST', '/resend', { type: 'sms', email }, 400, 'validation_failed', 'Type provided requires a phone number'],

  ['GET', '/user', undefined, 401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  ['PUT', '/user', { data: {} }, 401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  ['POST', '/logout', undefined, 401, 'no_authorization', 'This endpoint requires a valid Bearer token'],

  ['POST', '/recover', {}, 400, 'validation_failed', 'Password recovery requires an email'],
  [
    'POST',
    '/recover',
    { email, code_challenge: challenge, code_challenge_method: 'plain' },
    400,
    'validation_failed',
    /^code_challenge must be .* code_challenge_method s256$/,
  ],
  [
    'GET',
    '/authorize?provider=google',
    undefined,
    400,
    'validation_failed',
    /^Unsupported provider: Provider "google" could/,
  ],
  ['GET', '/admin/users', undefined, 403, 'not_admin', 'User not allowed'],
  ['GET', '/reauthenticate', undefined, 401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  ['GET', '/nothing', undefined, 404, 'unknown', 'There is no such endpoint'],
  ['POST', '/signup/', good, 404, 'unknown', 'There is no such endpoint'],
];

afterEach(async () => {
  expect(
    await database.query('select from auth.users where email = $1', [email]),
    'a refused call made an account',
  ).toEqual([]);
});

const NAMED = REFUSALS.map(
  (row) =>
    [
      `${row[0]} ${row[1]} ${JSON.stringify(row[2] ?? '').slice(0, 90)} is refused: ${row[3]} ${row[4]}`,
      ...row,
    ] as const,
);

test.each(NAMED)('%s', async (_name, method, path, body, status, code, message) => {
  const response = await callAuth(server, method, path, body);
  expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
  expect(response.body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01');
  expect(response.headers.get('x-sb-error-code')).toBe(code);
});

test.each([
  ['DELETE', '/user', 'GET, HEAD, PUT'],
  ['GET', '/token?grant_type=password', 'POST'],
  ['POST', '/authorize', 'GET, HEAD'],
  ['GET', '/user/identities/1', 'DELETE'],
  ['PUT', '/factors', 'POST'],
  ['GET', '/factors/1/verify', 'POST'],
  ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
] as const)('%s %s is refused with the allowed methods: %s', async (method, path, allowed) => {
  const response = await callAuth(server, method, path);
  expect(response).toMatchObject({
    status: 405,
    body: { code: 'validation_failed', message: 'This endpoint does not support this method' },
  });
  expect(response.headers.get('allow')).toBe(allowed);
  expect(response.headers.get('x-sb-error-code')).toBe('validation_failed');
});

test.each([{}, { 'X-Supabase-Api-Version': '2023-12-31' }, { 'X-Supabase-Api-Version': 'latest' }])(
  'a client that requests no version, or an older one, gets the older error format (%j)',
  async (headers) => {
    const response = await callAuth(
      server,
      'POST',
      '/token?grant_type=x',
      {},
      { 'X-Supabase-Api-Version': '', ...headers },
    );
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ code: 400, error_code: 'invalid_credentials', msg: 'unsupported_grant_type' });
    expect(response.headers.get('x-supabase-api-version')).toBeNull();
    expect(response.headers.get('x-sb-error-code')).toBe('invalid_credentials');
  },
);

test('a body that is not UTF-8, and one that is sent in pieces beyond the bound, are refused', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' };
  const latin = Buffer.from('{"email":"\xe9@example.com"}', 'latin1');
  const refused = await fetch(`${server.url}/auth/v1/signup`, { method: 'POST', headers, body: latin });
  expect([refused.status, (await refused.json()).code]).toEqual([400, 'bad_json']);

  const pieces = new ReadableStream({
    start(controller) {
      for (let piece = 0; piece < 20; piece += 1) controller.enqueue(Buffer.alloc(65_536, ' '));
      controller.close();
    },
  });
  const request = { method: 'POST', headers, body: pieces, duplex: 'half' };
  // The DOM's type does not know `duplex`, without which no stream may be sent.
  const tooLarge = await fetch(`${server.url}/auth/v1/signup`, request as RequestInit);
  expect([tooLarge.status, (await tooLarge.json()).code]).toEqual([413, 'request_entity_too_large']);
});

test('a weak password says why, and the official client understands it', async () => {
  const response = await callAuth(server, 'POST', '/signup', { email, password: '12345' });
  expect(response.body.weak_password).toEqual({ reasons: ['length'] });
  const { error } = await server.client().auth.signUp({ email, password: '12345' });
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons: ['length'] });
});

test('a form of another site changes nothing; a program may omit the JSON content type', async () => {
  const body = JSON.stringify({ email: 'form@example.com', password: 'correct horse' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const response = await callAuth(server, 'POST', '/signup', body, { 'Content-Type': type, ...headers });
      expect(response).toMatchObject({ status: 400, body: { code: 'bad_json' } });
    }
  }
  expect(await database.query("select from auth.users where email = 'form@example.com'")).toEqual([]);
  const response = await callAuth(server, 'POST', '/signup', body, { 'Content-Type': 'text/plain' });
  expect(response.status).toBe(200);
});

test('fields that this protocol does not have, and those that are not the visitor’s, are ignored', async () => {
  const address = anEmail();
  const body = {
    email: address,
    password: 'correct horse',
    id: '00000000-0000-4000-8000-000000000000',
    role: 'service_role',
    email_confirmed_at: '2020-01-01T00:00:00Z',
    app_metadata: { admin: true },
    gotrue_meta_security: { captcha_token: 'x' },
    data: { sub: 'mallory', email: 'mallory@example.com', email_verified: true, phone_verified: true, color: 'green' },
  };
  const { status, body: user } = await callAuth(server, 'POST', '/signup', body);
  expect(status).toBe(200);
  expect(user).toMatchObject({ role: 'authenticated', app_metadata: { provider: 'email', providers: ['email'] } });
  expect(user.id).not.toBe(body.id);
  expect(user).not.toHaveProperty('confirmed_at');
  expect(user.user_metadata).toEqual({
    sub: user.id,
    email: address,
    email_verified: false,
    phone_verified: false,
    color: 'green',
  });
});

test('the same refusals reach the official client as it expects them', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const { auth } = server.client();
  expect((await auth.signUp({ email: owner.email, password: 'another one' })).error).toMatchObject({
    status: 422,
    code: 'user_already_exists',
    message: 'User already registered',
  });
  expect((await auth.signInWithPassword({ email: owner.email, password: 'wrong' })).error).toMatchObject({
    status: 400,
    code: 'invalid_credentials',
  });
  expect((await auth.verifyOtp({ email: owner.email, token: '000000', type: 'signup' })).error).toMatchObject({
    status: 403,
    code: 'otp_expired',
  });
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError');
});

test('what is public: settings, health and the key set, without a private part', async () => {
  const settings = await callAuth(server, 'GET', '/settings');
  expect(settings.body).toMatchObject({
    external: { email: true, phone: false, google: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: false,
  });
  expect((await callAuth(server, 'GET', '/health')).body).toMatchObject({
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  });
  const keys = await callAuth(server, 'GET', '/.well-known/jwks.json');
  expect(keys.headers.get('cache-control')).toBe('public, max-age=600');
  expect(keys.body.keys).toHaveLength(1);
  expect(keys.body.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  expect(keys.body.keys[0]).not.toHaveProperty('d');
});

test('parts that are off reach the callers of the client with their codes', async () => {
  const { auth } = server.client();
  const refused = await Promise.all([
    auth.signInWithIdToken({ provider: 'google', token: 'x' }),
    auth.signInWithSSO({ domain: 'x.example' }),
  ]);
  expect(refused.map(({ error }) => [error?.status, error?.code])).toEqual([
    [400, 'provider_disabled'],
    [404, 'saml_provider_disabled'],
  ]);
});
