import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor, show } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';
import { passkeyCalls } from './support/passkey-calls.ts';
import { SoftwareKey } from './support/software-key.ts';
import { standInForBrowser } from './support/stand-in-for-browser.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const { addPasskey, signIn, signInByPassword, withPasskey } = passkeyCalls(server);

const bearerOf = async (client: SupabaseClient) => ({
  Authorization: `Bearer ${(await client.auth.getSession()).data.session?.access_token}`,
});

test('a passkey is registered, signs in without a name, and is listed, renamed, and removed', async () => {
  const { owner, key, passkey } = await withPasskey();
  expect(passkey).toEqual({ id: expect.any(String), friendly_name: 'Unknown device', created_at: expect.any(String) });

  const { client, data, error } = await signIn(key);
  expect(error).toBeNull();
  expect(data?.user?.id).toBe(owner.user.id);
  expect((await client.from('profiles').select('id')).data).toEqual([{ id: owner.user.id }]);

  const { id } = passkey;
  const used = { id, friendly_name: 'Unknown device', last_used_at: expect.any(String) };
  expect((await client.auth.passkey.list()).data).toMatchObject([used]);
  expect((await client.auth.passkey.update({ passkeyId: id, friendlyName: ' My phone ' })).data).toMatchObject({
    id,
    friendly_name: 'My phone',
  });
  expect((await client.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
  expect((await client.auth.passkey.list()).data).toEqual([]);
  expect((await signIn(key)).error).toMatchObject({ status: 400, code: 'webauthn_verification_failed' });
});

test('the official client’s ceremonies run with the browser’s own credentials', async () => {
  const key = new SoftwareKey(server.url);
  const owner = await registerOwner(server);
  const restore = standInForBrowser(key);
  try {
    expect((await owner.client.auth.registerPasskey()).error).toBeNull();
    const client = server.client();
    const { data, error } = await client.auth.signInWithPasskey();
    expect(error).toBeNull();
    expect(data?.user?.id).toBe(owner.user.id);
  } finally {
    restore();
  }
});

test('what a sign-in is asked for is the same for every client, and names the host of the public address', async () => {
  const { status, body } = await callAuth(server, 'POST', '/passkeys/authentication/options', {
    email: 'someone@example.com',
  });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      challenge_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      options: {
        rpId: 'localhost',
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 60_000,
        userVerification: 'preferred',
      },
      expires_at: Math.floor(clock.now() / 1000) + 300,
    },
  });
});

test('a new passkey is discoverable, for the account’s id, and not for an authenticator that has one', async () => {
  const { owner, key } = await withPasskey();
  const { data } = await owner.client.auth.passkey.startRegistration();
  expect(data?.options).toMatchObject({
    rp: { id: 'localhost', name: 'Reunite' },
    user: { id: Buffer.from(owner.user.id).toString('base64url'), name: owner.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
    excludeCredentials: [{ id: key.id }],
  });
});

test('a passkey that verified its user is worth both factors; one that did not owes the second', async () => {
  const { owner, key } = await withPasskey();
  const app = await setUpFactor(owner.client, clock);
  const verified = await signIn(key);
  expect(decodeJwt(verified.data?.session?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'passkey' }],
  });
  expect((await verified.client.from('profiles').select('id')).data).toHaveLength(1);
  const { data: refreshed } = await verified.client.auth.refreshSession();
  expect(decodeJwt(refreshed.session?.access_token ?? '').aal).toBe('aal2');

  const present = await signIn(key, { userVerified: false });
  expect(decodeJwt(present.data?.session?.access_token ?? '').aal).toBe('aal1');
  expect((await present.client.from('profiles').select('id')).data).toEqual([]);
  await show(present.client, clock, app);
  expect((await present.client.from('profiles').select('id')).data).toHaveLength(1);
});

test('a passkey does not make an account owe a second factor, and outlives the last one', async () => {
  const { owner, key } = await withPasskey();
  const byPassword = await signInByPassword(owner);
  expect((await byPassword.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' });
  expect((await byPassword.from('profiles').select('id')).data).toHaveLength(1);

  const { factorId } = await setUpFactor(owner.client, clock);
  const { client } = await signIn(key);
  expect((await owner.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  const { data } = await client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '').aal).toBe('aal2');
});

test('an account has at most ten passkeys', async () => {
  const owner = await registerOwner(server);
  for (let count = 0; count < 10; count += 1) expect((await addPasskey(owner.client)).error).toBeNull();
  expect((await addPasskey(owner.client)).error).toMatchObject({ status: 422, code: 'too_many_passkeys' });
});

test('a session that owes its second factor lists the passkeys, and changes none of them [B19]', async () => {
  const { owner, passkey } = await withPasskey();
  await setUpFactor(owner.client, clock);
  const client = await signInByPassword(owner);
  expect((await client.auth.passkey.list()).data).toHaveLength(1);
  const refused = { status: 403, code: 'insufficient_aal' };
  expect((await addPasskey(client)).error).toMatchObject(refused);
  expect((await client.auth.passkey.delete({ passkeyId: passkey.id })).error).toMatchObject(refused);
  expect((await client.auth.passkey.update({ passkeyId: passkey.id, friendlyName: 'X' })).error).toMatchObject(refused);
});

test('a removed passkey takes the sessions that it began with it, and leaves the one that removes it', async () => {
  const { owner, key, passkey } = await withPasskey();
  await setUpFactor(owner.client, clock);
  const lost = await signIn(key);
  const here = await signIn(key);
  expect((await here.client.auth.passkey.delete({ passkeyId: passkey.id })).error).toBeNull();
  expect((await lost.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await here.client.auth.getUser()).error).toBeNull();
  expect((await here.client.from('profiles').select('id')).data, 'it owes the second factor').toEqual([]);
});

test('no banned account signs in by passkey', async () => {
  const { owner, key } = await withPasskey();
  await database.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [owner.user.id]);
  expect((await signIn(key)).error).toMatchObject({ status: 403, code: 'user_banned' });
});

test('the operator lists and removes the passkeys of an account', async () => {
  const { owner, key, passkey } = await withPasskey();
  const { admin } = server.client({ key: server.secrets.secretKey }).auth;
  const userId = owner.user.id;
  expect((await admin.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkey.id }]);
  expect((await admin.passkey.deletePasskey({ userId, passkeyId: passkey.id })).error).toBeNull();
  expect((await admin.passkey.deletePasskey({ userId, passkeyId: passkey.id })).error).toMatchObject({ status: 404 });
  expect((await signIn(key)).error).toMatchObject({ code: 'webauthn_verification_failed' });
});

test('a deleted account leaves no passkey', async () => {
  const { owner, key } = await withPasskey();
  const { admin } = server.client({ key: server.secrets.secretKey }).auth;
  expect((await admin.deleteUser(owner.user.id, true)).error).toBeNull();
  expect(await database.query('select id from auth.passkeys where user_id = $1', [owner.user.id])).toEqual([]);
  expect((await signIn(key)).error).toMatchObject({ code: 'webauthn_verification_failed' });
});

test('names are as long as the reference allows', async () => {
  const { owner, passkey } = await withPasskey();
  const rename = async (friendly_name: string) =>
    callAuth(server, 'PATCH', `/passkeys/${passkey.id}`, { friendly_name }, await bearerOf(owner.client));
  expect(await rename(' ')).toMatchObject({ status: 400, body: { message: 'friendly_name is required' } });
  expect(await rename('x'.repeat(121))).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await rename('😀'.repeat(120))).toMatchObject({ status: 200 });
});
