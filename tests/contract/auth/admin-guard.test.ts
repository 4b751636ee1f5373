import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const { secretKey, publishableKey } = server.secrets;
const owner = await registerOwner(server);
const victim = await registerOwner(server);
const none = randomUUID();

const CALLS = [
  ['GET', '/admin/users'],
  ['POST', '/admin/users', { email: 'intruder@example.com' }],
  ['GET', `/admin/users/${victim.user.id}`],
  ['PUT', `/admin/users/${victim.user.id}`, { email: 'intruder@example.com', ban_duration: '24h' }],
  ['DELETE', `/admin/users/${victim.user.id}`],
  ['GET', `/admin/users/${none}`],
  ['GET', `/admin/users/${victim.user.id}/factors`],
  ['DELETE', `/admin/users/${victim.user.id}/factors/${none}`],
  ['GET', `/admin/users/${victim.user.id}/passkeys`],
  ['DELETE', `/admin/users/${victim.user.id}/passkeys/${none}`],
  ['POST', '/admin/generate_link', { type: 'magiclink', email: victim.email }],
  ['POST', '/invite', { email: 'intruder@example.com' }],
  ['GET', '/admin/anything'],
] as const;

const forged = new SignJWT({ role: 'service_role', iss: `${server.url}/auth/v1`, aud: 'authenticated' })
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('1h');

const INTRUDERS: readonly (readonly [name: string, headers: Promise<Record<string, string>>, statuses: number[]])[] = [
  ['a request without a key', Promise.resolve({ apikey: '' }), [401, 403]],
  ['the publishable key', as(publishableKey), [403]],
  ['an owner', as(owner.session.access_token), [403]],
  [
    'an owner whose metadata says admin',
    as(server.token({ ...ownClaims(), user_metadata: { role: 'service_role' } })),
    [403],
  ],
  [
    'an owner whose app_metadata says admin',
    as(server.token({ ...ownClaims(), app_metadata: { role: 'service_role' } })),
    [403],
  ],
  ['an expired token', as(server.token(ownClaims(), -3600)), [403]],
  ['a token of the service role that another key signed', as(forged.sign(Buffer.from(secretKey.padEnd(32)))), [403]],
  [
    'a token of the service role that the publishable key signed',
    as(forged.sign(Buffer.from(publishableKey.padEnd(32)))),
    [403],
  ],
  ['a guess at the secret key', as(secretKey.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))), [403]],
  ['the secret key beside an owner’s token', as(owner.session.access_token, secretKey), [403]],
];

async function as(token: string | Promise<string>, apikey = publishableKey): Promise<Record<string, string>> {
  return { apikey, Authorization: `Bearer ${await token}` };
}

function ownClaims(): Record<string, unknown> {
  return { sub: owner.user.id, role: 'authenticated', aal: 'aal1' };
}

test.each(INTRUDERS)('%s is refused by the admin API and changes nothing [B20]', async (_name, headers, statuses) => {
  const accounts = 'select id, email, banned_until, updated_at from auth.users order by id';
  const before = await database.query(accounts);
  for (const [method, path, body] of CALLS) {
    const response = await callAuth(server, method, path, body, await headers);
    expect(statuses, `${method} ${path}`).toContain(response.status);
    expect(['not_admin', 'bad_jwt', 'no_authorization']).toContain(response.body.code);
    expect(JSON.stringify(response.body)).not.toContain(victim.email);
  }
  expect(await database.query(accounts)).toEqual(before);
});

test('a caller that is not the operator gets the same refusal for a path that exists and one that does not', async () => {
  const headers = await as(owner.session.access_token);
  for (const path of ['/admin/users', '/admin/nothing']) {
    expect(await callAuth(server, 'GET', path, undefined, headers)).toMatchObject({
      status: 403,
      body: { code: 'not_admin', message: 'User not allowed' },
    });
  }
});

test('the secret key alone is enough, in either header', async () => {
  for (const headers of [await as(secretKey, secretKey), { apikey: secretKey }, await as(secretKey)]) {
    expect((await callAuth(server, 'GET', '/admin/users', undefined, headers)).status).toBe(200);
  }
});

test('PUT /user ignores the role, id, confirmation, ban, or assurance level that an account sends [B20]', async () => {
  const headers = await as(owner.session.access_token);
  const columns = `select id, role, aud, email_confirmed_at, phone_confirmed_at, banned_until, is_super_admin,
    raw_app_meta_data, is_anonymous from auth.users where id = $1`;
  const before = await database.query(columns, [owner.user.id]);
  const response = await callAuth(
    server,
    'PUT',
    '/user',
    {
      id: none,
      role: 'service_role',
      aud: 'admin',
      aal: 'aal2',
      email_confirmed_at: '2020-01-01T00:00:00Z',
      email_confirm: true,
      phone_confirmed_at: '2020-01-01T00:00:00Z',
      banned_until: null,
      ban_duration: 'none',
      is_super_admin: true,
      is_anonymous: true,
      password_hash: 'x',
      data: { color: 'green' },
    },
    headers,
  );
  expect(response).toMatchObject({ status: 200, body: { id: owner.user.id, user_metadata: { color: 'green' } } });
  expect(await database.query(columns, [owner.user.id])).toEqual(before);
  const refused = await callAuth(server, 'PUT', '/user', { app_metadata: { role: 'admin' } }, headers);
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_admin' } });
});
