import { randomBytes } from 'node:crypto';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const secret = randomBytes(32);
const rsa = await generateKeyPair('RS256', { extractable: true });
const rsaPublic = await exportJWK(rsa.publicKey);
const usual = await startTestServer(database);
const server = await startTestServer(database, {
  environment: {
    JWT_ADDITIONAL_KEYS: JSON.stringify({ keys: [{ kty: 'oct', k: secret.toString('base64url') }, rsaPublic] }),
  },
});
const owner = await registerOwner(server);
const now = Math.floor(Date.now() / 1000);

function byHmac(claims: Readonly<Record<string, unknown>>, key = secret): Promise<string> {
  return new SignJWT({ iat: now, exp: now + 600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(key);
}

function byRsa(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return new SignJWT({ iat: now, exp: now + 600, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(rsa.privateKey);
}

/** Returns what a token may do: list accounts, read its own account, read items. */
async function reach(token: string, at = server) {
  const headers = { apikey: token, Authorization: `Bearer ${token}` };
  return {
    admin: (await callAuth(at, 'GET', '/admin/users', undefined, headers)).status,
    user: (await callAuth(at, 'GET', '/user', undefined, headers)).status,
    items: (await at.request('/rest/v1/items', { headers })).status,
  };
}

test.each([
  ['a shared secret', byHmac],
  ['an RSA key', byRsa],
])('API keys that are tokens of %s stand for their roles', async (_name, sign) => {
  expect(await reach(await sign({ role: 'anon', iss: 'supabase' }))).toEqual({ admin: 403, user: 403, items: 200 });
  expect(await reach(await sign({ role: 'service_role', iss: 'supabase' }))).toEqual({
    admin: 200,
    user: 403,
    items: 200,
  });
});

test('a user’s token is valid as long as its session', async () => {
  const { client, session } = await registerOwner(server);
  const token = await byHmac(decodeJwt(session.access_token));
  expect(await reach(token)).toEqual({ admin: 403, user: 200, items: 200 });
  await client.auth.signOut();
  expect((await reach(token)).user).toBe(403);
  await expect.poll(async () => (await reach(token)).items).toBe(401);
});

const own = decodeJwt(owner.session.access_token);
const REFUSED: readonly (readonly [name: string, token: string | Promise<string>])[] = [
  ['another secret', byHmac({ role: 'service_role' }, randomBytes(32))],
  ['no signature', new UnsecuredJWT({ role: 'service_role', exp: now + 600 }).encode()],
  [
    'the RSA key’s public half as a secret',
    byHmac({ role: 'service_role' }, Buffer.from(await exportSPKI(rsa.publicKey))),
  ],
  ['the public half as JSON', byHmac({ role: 'service_role' }, Buffer.from(JSON.stringify(rsaPublic)))],
  ['an end that has passed', byHmac({ role: 'service_role', exp: now - 60 })],
  ['no end', byHmac({ role: 'service_role', exp: undefined })],
  ['an unknown role', byHmac({ role: 'postgres' })],
  ['no role', byHmac({})],
  ['a person of another issuer', byHmac({ ...own, iss: 'https://evil.example/auth/v1' })],
  ['a person for another audience', byHmac({ ...own, aud: 'somebody-else' })],
  ['a person without a session', byHmac({ ...own, session_id: undefined })],
];

test.each(REFUSED)('a token with %s is refused everywhere', async (_name, token) => {
  const { admin, user, items } = await reach(await token);
  expect([401, 403]).toContain(admin);
  expect([400, 401, 403]).toContain(user);
  expect(items).toBe(401);
});

test('a server without additional keys accepts none of these tokens', async () => {
  for (const token of [await byHmac({ role: 'service_role' }), await byRsa({ role: 'anon' }), await byHmac(own)]) {
    expect(await reach(token, usual)).toEqual({ admin: 403, user: 403, items: 401 });
  }
});

test('the key set shows the public halves of the additional pairs, and no secret', async () => {
  const { keys } = (await callAuth(server, 'GET', '/.well-known/jwks.json')).body;
  expect(keys).toMatchObject([{ alg: 'ES256' }, { alg: 'RS256', n: rsaPublic.n, kid: expect.any(String) }]);
  expect(JSON.stringify(keys)).not.toContain(secret.toString('base64url'));
  const token = await new SignJWT(own).setProtectedHeader({ alg: 'RS256', kid: keys[1].kid }).sign(rsa.privateKey);
  const { data, error } = await server.client().auth.getClaims(token);
  expect(error, 'the official client finds the key by its id').toBeNull();
  expect(data?.claims.sub).toBe(owner.user.id);
});
