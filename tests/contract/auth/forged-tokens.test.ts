import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { refusedHandshake } from '../realtime/raw-socket.ts';
import { callAuth } from './support/call-auth.ts';
import { inTurns, mutantsOf } from './support/mutant-tokens.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await registerOwner(server);
const real = owner.session.access_token;
const claims = decodeJwt(real);
const [realHeader = '', realPayload = '', realSignature = ''] = real.split('.');

const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [ourPublicKey] = (await callAuth(server, 'GET', '/.well-known/jwks.json')).body.keys;
const kid = ourPublicKey?.kid ?? '';

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function unsigned(header: object, payload: object = claims): string {
  return `${encode(header)}.${encode(payload)}.`;
}

function hmac(key: string | Buffer, header: object = {}): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid, ...header })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function byAttacker(header: object): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header }).sign(attacker.privateKey);
}

/** Signed with our own key, and still not for this service, this time or this role. */
function bySelf(change: Record<string, unknown>): Promise<string> {
  return server.token({ ...claims, ...change });
}

const now = Math.floor(Date.now() / 1000);
const publicJwk = JSON.stringify(ourPublicKey);
const theirJwk = await exportJWK(attacker.publicKey);

/** Requests for the attacker's own keys. */
const fetched: string[] = [];
const theirKeys = await serveLoopback(({ url = '' }, response) => {
  fetched.push(url);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ keys: [{ ...theirJwk, kid, alg: 'ES256', use: 'sig' }] }));
});

const FORGERIES: readonly (readonly [name: string, token: string | Promise<string>])[] = [
  ['alg none', unsigned({ alg: 'none', typ: 'JWT' })],
  ['alg None with our key id', unsigned({ alg: 'None', kid })],
  ['alg none and the real signature', `${encode({ alg: 'none', kid })}.${realPayload}.${realSignature}`],
  ['no alg', unsigned({ kid })],
  ['HS256 with the public key as JSON', hmac(publicJwk)],
  ['HS256 with the public point', hmac(Buffer.from(`${ourPublicKey?.x}${ourPublicKey?.y}`, 'base64url'))],
  ['HS256 with an empty key', hmac('')],
  ['HS256 with the publishable key', hmac(server.secrets.publishableKey)],
  ['HS256 that says ES256', hmac(publicJwk, { alg: 'ES256' })],
  ['another key under our key id', byAttacker({ kid })],
  ['a key that the token brings along', byAttacker({ kid, jwk: theirJwk })],
  ['a key set at an address', byAttacker({ kid, jku: `${theirKeys}/jwks.json` })],
  ['a certificate at an address', byAttacker({ kid, x5u: `${theirKeys}/cert.pem` })],
  ['a key id that is an address', byAttacker({ kid: `${theirKeys}/jwks.json` })],
  ['a key id that is the path of an empty file, and its content as the key', hmac('', { kid: '../../../../dev/null' })],
  ['a key id that is SQL', byAttacker({ kid: `' or 1=1 --` })],
  ['a key id of an object’s prototype', byAttacker({ kid: '__proto__' })],
  ['no key id', byAttacker({})],
  [
    'the real signature under other claims',
    `${realHeader}.${encode({ ...claims, sub: randomUUID() })}.${realSignature}`,
  ],
  ['no signature', `${realHeader}.${realPayload}.`],
  ['a signature of zeros', `${realHeader}.${realPayload}.${Buffer.alloc(64).toString('base64url')}`],
  ['expired', bySelf({ exp: now - 60 })],
  ['no expiry', bySelf({ exp: undefined })],
  ['not valid yet', bySelf({ nbf: now + 600 })],
  ['another issuer', bySelf({ iss: 'https://evil.example/auth/v1' })],
  ['another audience', bySelf({ aud: 'somebody-else' })],
  ['the service’s role', bySelf({ role: 'service_role' })],
  ['an unknown role', bySelf({ role: 'postgres' })],
  ['no subject', bySelf({ sub: undefined })],
  ['a session that does not exist', bySelf({ session_id: randomUUID() })],
  ['a session that is not an id', bySelf({ session_id: "' or 1=1 --" })],
  ['another account in this session', bySelf({ sub: randomUUID() })],
  ['a subject that is not an id', bySelf({ sub: "' or 1=1 --" })],
];
/** Not forged, but not a user's token. */
const KEYS = [
  ['the publishable key', server.secrets.publishableKey],
  ['the secret key', server.secrets.secretKey],
] as const;

/**
 * Returns each service's status for a token. The storage service responds to every refusal with 400 and puts the real
 * status into the body.
 */
async function statusesFor(token: string) {
  const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` };
  const [auth, data, storage, realtime, broadcast] = await Promise.all([
    server.request('/auth/v1/user', { headers }),
    server.request('/rest/v1/profiles?select=id', { headers }),
    server.request('/storage/v1/bucket', { headers }),
    refusedHandshake(`${server.url}/realtime/v1/websocket?apikey=${encodeURIComponent(token)}`),
    server.request('/realtime/v1/api/broadcast', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ messages: [] }),
    }),
  ]);
  return [auth, data, storage, realtime, broadcast].map(({ status }) => status);
}
const REFUSED = [403, 401, 400, 401, 401];

test('the genuine token is accepted', async () => {
  const response = await callAuth(server, 'GET', '/user', undefined, { Authorization: `Bearer ${real}` });
  expect(response).toMatchObject({ status: 200, body: { id: owner.user.id } });
});

test.each([...FORGERIES, ...KEYS])(
  '%s is refused by every endpoint that takes a token [B14]',
  async (_name, forged) => {
    const headers = { Authorization: `Bearer ${await forged}` };
    for (const [method, path, body] of [
      ['GET', '/user'],
      ['PUT', '/user', { data: { hacked: true } }],
      ['POST', '/logout'],
    ] as const) {
      const response = await callAuth(server, method, path, body, headers);
      expect([400, 401, 403], `${method} ${path}`).toContain(response.status);
      expect(['bad_jwt', 'session_not_found', 'user_not_found', 'no_authorization']).toContain(response.body.code);
    }
    expect((await callAuth(server, 'GET', '/user', undefined, { Authorization: `Bearer ${real}` })).status).toBe(200);
  },
);

test.each(FORGERIES)('%s opens none of the services [B14]', async (_name, forged) => {
  expect(await statusesFor(await forged)).toEqual(REFUSED);
});

test('no URL in a token is fetched for a key [B14]', () => {
  expect(fetched).toEqual([]);
});

test('an API key is not a user: the response says what is missing', async () => {
  const response = await callAuth(server, 'GET', '/user', undefined, {
    Authorization: `Bearer ${server.secrets.publishableKey}`,
  });
  expect(response).toMatchObject({
    status: 403,
    body: { code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
  });
});

test('hundreds of variations of a genuine token are refused by every service [B14]', async () => {
  const responses = await inTurns(mutantsOf(real, 400), async (mutant) => {
    return { mutant, statuses: await statusesFor(mutant) };
  });
  expect(responses.length).toBeGreaterThan(350);
  for (const { mutant, statuses } of responses) expect(statuses, mutant).toEqual(REFUSED);
  const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${real}` };
  for (const path of ['/auth/v1/user', '/rest/v1/profiles?select=id', '/storage/v1/bucket']) {
    expect((await server.request(path, { headers })).status, path).toBe(200);
  }
});

test.each(['', 'Bearer', 'Bearer ', 'Basic abc', `Bearer ${real} extra`, `Token ${real}`, real])(
  'an Authorization header that is no bearer token (%#) is refused',
  async (authorization) => {
    const response = await callAuth(server, 'GET', '/user', undefined, { Authorization: authorization });
    expect(response).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
  },
);
