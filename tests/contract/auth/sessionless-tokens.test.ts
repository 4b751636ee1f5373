import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from '../realtime/raw-socket.ts';
import { callAuth } from './support/call-auth.ts';

const secret = randomBytes(32);
const database = await createTestDatabase();
const server = await startTestServer(database, {
  environment: {
    JWT_ADDITIONAL_KEYS: JSON.stringify({ keys: [{ kty: 'oct', k: secret.toString('base64url') }] }),
    SESSIONLESS_TOKENS: 'true',
  },
});
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

/** A token of another back end that has a key of this one. */
function byOtherBackEnd(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return new SignJWT({ role: 'authenticated', aud: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('10m')
    .sign(secret);
}

/** What the holder of a token reads of the account's items, or the refusal's code. */
async function itemsOf(token: string): Promise<unknown> {
  const { data, error } = await server.client({ token }).from('items').select('user_id');
  return error === null ? data : error.code;
}

test('a token without a session reaches the data, files, and channels of its account, and no other', async () => {
  const { user } = await registerOwner(server);
  const token = await byOtherBackEnd({ sub: user.id });
  const own = await server.client({ token }).from('profiles').select('id');
  expect(own).toMatchObject({ status: 200, data: [{ id: user.id }] });
  expect((await server.client({ token }).storage.from('avatars').list()).data).toEqual([]);
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const joined = await socket.ask('1', '1', 'realtime:room', 'phx_join', {
    access_token: token,
    config: { private: true },
  });
  socket.ws.close();
  expect(JSON.stringify(joined)).not.toContain('InvalidJWTToken');
});

test('the auth service shows its account, and changes nothing for it', async () => {
  const { user } = await registerOwner(server);
  const token = await byOtherBackEnd({ sub: user.id });
  expect(await server.client().auth.getUser(token)).toMatchObject({ data: { user: { id: user.id } }, error: null });
  for (const [method, path] of [
    ['PUT', '/user'],
    ['GET', '/reauthenticate'],
    ['POST', '/factors'],
    ['GET', '/passkeys'],
    ['POST', '/logout'],
  ] as const) {
    const headers = { Authorization: `Bearer ${token}` };
    const { status, body } = await callAuth(server, method, path, method === 'GET' ? undefined : {}, headers);
    expect([path, status, body.code]).toEqual([path, 403, 'session_not_found']);
  }
  expect((await server.client({ token }).rpc('make_recovery_codes')).error).not.toBeNull();
});

test('signing out everywhere does not end it; a ban and a deletion do [K95]', async () => {
  const { client, user } = await registerOwner(server);
  const token = await byOtherBackEnd({ sub: user.id });
  await client.auth.signOut({ scope: 'global' });
  expect(await itemsOf(token)).not.toBeTypeOf('string');
  await operator.updateUserById(user.id, { ban_duration: '1h' });
  await expect.poll(() => itemsOf(token)).toBe('PGRST303');
  await operator.updateUserById(user.id, { ban_duration: 'none' });
  await expect.poll(() => itemsOf(token)).not.toBeTypeOf('string');
  await operator.deleteUser(user.id);
  await expect.poll(() => itemsOf(token)).toEqual([]);
  expect((await server.client().auth.getUser(token)).error).toMatchObject({ status: 403, code: 'user_not_found' });
});

test('a subject without an account here sees nothing of others', async () => {
  expect(await itemsOf(await byOtherBackEnd({ sub: randomUUID() }))).toEqual([]);
});

test.each([
  ['a subject', { sub: undefined }, 'missing sub'],
  ['an audience', { sub: randomUUID(), aud: undefined }, 'missing aud'],
  [
    'our issuer, although it names a session',
    { sub: randomUUID(), session_id: randomUUID(), iss: 'x' },
    'unexpected iss',
  ],
])('one without %s is refused by the name of what it lacks [K95]', async (_name, claims, lacks) => {
  const { error, status } = await server
    .client({ token: await byOtherBackEnd(claims) })
    .from('items')
    .select();
  expect([status, error?.code, error?.message]).toEqual([401, 'PGRST303', `JWT claims refused: ${lacks}`]);
});

test('a session that it names must be one of its account’s', async () => {
  const { user, session } = await registerOwner(server);
  const iss = `${server.url}/auth/v1`;
  for (const named of [
    { sub: user.id, session_id: randomUUID() },
    { sub: randomUUID(), session_id: 'x' },
  ]) {
    expect(await itemsOf(await byOtherBackEnd({ ...named, iss }))).toBeTypeOf('string');
  }
  expect(session).toBeDefined();
});
