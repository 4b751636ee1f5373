import { randomBytes } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from '../realtime/raw-socket.ts';

const secret = randomBytes(32);
const server = await startTestServer(await createTestDatabase(), {
  environment: {
    // The second key is tried last, and verifies none of the tokens.
    JWT_ADDITIONAL_KEYS: JSON.stringify({
      keys: [secret, randomBytes(32)].map((key) => ({ kty: 'oct', k: key.toString('base64url') })),
    }),
  },
});
const { session } = await registerOwner(server);
const own = decodeJwt(session.access_token);

/** A token of another back end that has a key of this one. */
function byOtherBackEnd(claims: Readonly<Record<string, unknown>>, key = secret): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
}

const USUAL = { sub: own.sub, role: 'authenticated', aud: 'authenticated', exp: Math.floor(Date.now() / 1000) + 600 };

test.each([
  ['the issuer and the session', USUAL, 'missing iss, session_id'],
  ['the session', { ...USUAL, iss: own.iss }, 'missing session_id'],
  ['the role', { ...USUAL, role: undefined }, 'missing role'],
  [
    'the session, from another issuer',
    { ...USUAL, iss: 'https://other.example/auth/v1' },
    'missing session_id; unexpected iss',
  ],
])('a user’s token without %s is refused by the name of what it lacks [K95]', async (_name, claims, lacks) => {
  const token = await byOtherBackEnd(claims);
  const client = server.client({ token });

  const data = await client.from('items').select();
  expect(data).toMatchObject({
    status: 401,
    error: { code: 'PGRST303', message: `JWT claims refused: ${lacks}`, details: null, hint: null },
  });

  const user = await server.client().auth.getUser(token);
  expect(user.error).toMatchObject({
    status: 403,
    code: 'bad_jwt',
    message: `invalid JWT: unable to parse or verify signature, token has invalid claims: ${lacks}`,
  });

  const files = await client.storage.listBuckets();
  expect(files.error).toMatchObject({ statusCode: '403', message: `jwt claims refused: ${lacks}` });

  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const joined = await socket.ask('1', '1', 'realtime:room', 'phx_join', { access_token: token, config: {} });
  socket.ws.close();
  const reason =
    lacks === 'missing role'
      ? 'Fields `role` and `exp` are required in JWT'
      : `The claims of the JWT are not for this service: ${lacks}`;
  expect(joined).toMatchObject({ status: 'error', response: { reason: `InvalidJWTToken: ${reason}` } });
});

test('a token of ours for another audience or a later time is refused in PostgREST’s words', async () => {
  for (const [change, message] of [
    [{ aud: 'elsewhere' }, 'JWT not in audience'],
    [{ nbf: Math.floor(Date.now() / 1000) + 600 }, 'JWT not yet valid'],
  ] as const) {
    const client = server.client({ token: await server.token({ ...own, ...change }) });
    expect(await client.from('items').select()).toMatchObject({ status: 401, error: { code: 'PGRST303', message } });
  }
});

test('an expired token of ours is reported as expired, also beside keys that did not sign it', async () => {
  const client = server.client({ token: await server.token({ ...own, exp: Math.floor(Date.now() / 1000) - 60 }) });
  expect(await client.from('items').select()).toMatchObject({
    status: 401,
    error: { code: 'PGRST303', message: 'JWT expired' },
  });
});

test('a token that no key of ours signed hears nothing of its claims [K95]', async () => {
  const client = server.client({ token: await byOtherBackEnd({ sub: own.sub }, randomBytes(32)) });
  expect(await client.from('items').select()).toMatchObject({
    status: 401,
    error: { code: 'PGRST301', message: 'No suitable key or wrong key type' },
  });
});
