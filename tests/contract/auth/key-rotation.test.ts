import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { makeSecrets } from '#server/start/secrets.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const before = await startTestServer(database);
const [oldKey] = before.secrets.jwtKeys.keys;
const [newKey] = (await makeSecrets()).jwtKeys.keys;
if (oldKey === undefined || newKey === undefined) throw new Error('Secrets are made with a key.');

/** The same installation, restarted with these keys. */
const restarted = (...keys: (typeof oldKey)[]) =>
  startTestServer(database, {
    secrets: { ...before.secrets, jwtKeys: { keys } },
    environment: { PUBLIC_URL: before.url },
  });
const both = await restarted(newKey, oldKey);
const after = await restarted(newKey);

/** Returns the statuses of auth, data and storage for the token. */
async function statusesOn(server: TestServer, token: string): Promise<number[]> {
  const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` };
  const paths = ['/auth/v1/user', '/rest/v1/profiles?select=id', '/storage/v1/bucket'];
  return Promise.all(paths.map(async (path) => (await server.request(path, { headers })).status));
}

async function refreshOn(server: TestServer, refreshToken: string) {
  const { status, body } = await callAuth(server, 'POST', '/token?grant_type=refresh_token', {
    refresh_token: refreshToken,
  });
  expect(status).toBe(200);
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const keySetOf = async (server: TestServer) => {
  const { body } = await callAuth(server, 'GET', '/.well-known/jwks.json');
  return body.keys.map(({ kid }: { kid: string }) => kid);
};

test('a new key in front of the old one signs from then on, and all sessions stay valid [J63]', async () => {
  const { session } = await registerOwner(before);
  expect(keyOf(session.access_token)).toBe(oldKey.kid);
  expect(await keySetOf(both)).toEqual([newKey.kid, oldKey.kid]);
  expect(await statusesOn(both, session.access_token)).toEqual([200, 200, 200]);

  const next = await refreshOn(both, session.refresh_token);
  expect(keyOf(next.access)).toBe(newKey.kid);
  expect(decodeJwt(next.access).session_id).toBe(decodeJwt(session.access_token).session_id);
  // Once every old token has expired, the old key is removed without effect on users.
  expect(await keySetOf(after)).toEqual([newKey.kid]);
  expect(await statusesOn(after, next.access)).toEqual([200, 200, 200]);
});

test('a removed key stops working at once, and its sessions refresh [J63]', async () => {
  const { session } = await registerOwner(before);
  const forged = await before.token({ sub: session.user.id, session_id: decodeJwt(session.access_token).session_id });
  expect(await statusesOn(both, forged), 'as long as it is there it is a key').toEqual([200, 200, 200]);
  for (const token of [forged, session.access_token]) {
    // The storage service responds to every refusal with 400 and puts the real status into the body.
    expect(await statusesOn(after, token)).toEqual([403, 401, 400]);
  }
  const next = await refreshOn(after, session.refresh_token);
  expect(await statusesOn(after, next.access)).toEqual([200, 200, 200]);
});
