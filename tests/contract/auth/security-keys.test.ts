import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { type Lies, SoftwareKey } from './support/software-key.ts';
import { standInForBrowser } from './support/stand-in-for-browser.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const relyingParty = { rpId: 'localhost', rpOrigins: [server.url] };

async function signIn({ email, password }: RegisteredOwner): Promise<SupabaseClient> {
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error !== null) throw error;
  return client;
}

/** An account whose second factor is a security key. */
async function withKey() {
  const key = new SoftwareKey(server.url);
  const owner = await registerOwner(server);
  const { mfa } = owner.client.auth;
  const { data: factor, error } = await mfa.webauthn.enroll({ friendlyName: 'Key' });
  if (error !== null) throw error;
  const added = await respond(owner.client, factor.id, key);
  if (added.error !== null) throw added.error;
  return { owner, key, factorId: factor.id };
}

interface Asked {
  readonly id: string;
  readonly webauthn: {
    readonly type: 'create' | 'request';
    readonly credential_options: {
      readonly publicKey: Parameters<SoftwareKey['create']>[0] & Parameters<SoftwareKey['get']>[0];
    };
  };
}

const bearerOf = async (client: SupabaseClient) => ({
  Authorization: `Bearer ${(await client.auth.getSession()).data.session?.access_token}`,
});

async function ask(client: SupabaseClient, factorId: string): Promise<Asked> {
  const { status, body } = await callAuth(
    server,
    'POST',
    `/factors/${factorId}/challenge`,
    { webauthn: relyingParty },
    await bearerOf(client),
  );
  expect(status).toBe(200);
  return body;
}

/** Answers a challenge of the factor, or the one that was asked before. */
async function respond(client: SupabaseClient, factorId: string, key: SoftwareKey, lies: Lies = {}, asked?: Asked) {
  const { id, webauthn } = asked ?? (await ask(client, factorId));
  const { publicKey } = webauthn.credential_options;
  const credential = webauthn.type === 'create' ? key.create(publicKey, lies) : key.get(publicKey, lies);
  const response = await callAuth(
    server,
    'POST',
    `/factors/${factorId}/verify`,
    { challenge_id: id, webauthn: { type: webauthn.type, ...relyingParty, credential_response: credential } },
    await bearerOf(client),
  );
  if (response.status !== 200) return { error: { status: response.status, code: response.body.code } };
  await client.auth.setSession(response.body);
  return { error: null };
}

test('the official client registers a security key as a second factor, and shows it', async () => {
  const owner = await registerOwner(server);
  const restore = standInForBrowser(new SoftwareKey(server.url));
  try {
    const { mfa } = owner.client.auth;
    const { data, error } = await mfa.webauthn.register({ friendlyName: 'Key', webauthn: relyingParty });
    expect(error).toBeNull();
    expect(decodeJwt(data?.access_token ?? '')).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, {}] });
    const { data: listed } = await mfa.listFactors();
    expect(listed?.webauthn).toMatchObject([{ friendly_name: 'Key', status: 'verified', factor_type: 'webauthn' }]);
    const factorId = listed?.webauthn[0]?.id ?? '';

    const client = await signIn(owner);
    expect((await client.from('profiles').select('id')).data).toEqual([]);
    const shown = await client.auth.mfa.webauthn.authenticate({ factorId, webauthn: relyingParty });
    expect(shown.error).toBeNull();
    expect((await client.from('profiles').select('id')).data).toHaveLength(1);

    const half = (await signIn(owner)).auth;
    const challenged = await half.mfa.webauthn.challenge({ factorId, webauthn: relyingParty });
    if (challenged.data === null) throw challenged.error;
    const { challengeId, webauthn: made } = challenged.data;
    const verified = await half.mfa.webauthn.verify({ factorId, challengeId, webauthn: { ...relyingParty, ...made } });
    expect(verified.error).toBeNull();
  } finally {
    restore();
  }
});

test('its challenge names the one credential that it wants, and begins as a registration', async () => {
  const { owner, key, factorId } = await withKey();
  expect(await ask(owner.client, factorId)).toMatchObject({
    type: 'webauthn',
    expires_at: expect.any(Number),
    webauthn: {
      type: 'request',
      credential_options: { publicKey: { rpId: 'localhost', allowCredentials: [{ id: key.id, type: 'public-key' }] } },
    },
  });
  const { data } = await owner.client.auth.mfa.webauthn.enroll({ friendlyName: 'Another' });
  expect(await ask(owner.client, data?.id ?? '')).toMatchObject({
    webauthn: {
      type: 'create',
      credential_options: { publicKey: { rp: { id: 'localhost' }, excludeCredentials: [{ id: key.id }] } },
    },
  });
});

test.each<readonly [string, Lies]>([
  ['of another origin', { origin: 'https://example.com' }],
  ['of another relying party', { rpId: 'example.com' }],
  ['with a counter that goes back', { counter: 1 }],
  ['with another signature', { signature: Buffer.alloc(70, 1) }],
  ['with another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
])('a signature %s raises no session [K100]', async (_, lies) => {
  const { owner, key, factorId } = await withKey();
  const client = await signIn(owner);
  const wrong = { status: 422, code: 'mfa_verification_failed' };
  expect((await respond(client, factorId, key, lies)).error).toEqual(wrong);
  expect((await client.from('profiles').select('id')).data).toEqual([]);
  expect((await respond(client, factorId, key)).error).toBeNull();
});

test('another key, a new key, and a signature that was accepted before raise no session [K100]', async () => {
  const { owner, key, factorId } = await withKey();
  const wrong = { status: 422, code: 'mfa_verification_failed' };
  const client = await signIn(owner);
  const stranger = new SoftwareKey(server.url);
  expect((await respond(client, factorId, stranger)).error).toEqual(wrong);
  expect((await respond(client, factorId, stranger, { credentialId: key.id })).error).toEqual(wrong);
  const asked = await ask(client, factorId);
  const options = { ...asked.webauthn.credential_options.publicKey, rp: { id: 'localhost', name: '' } };
  const publicKey = { ...options, user: { id: owner.user.id, name: '', displayName: '' } };
  const asNew: Asked = { ...asked, webauthn: { type: 'create', credential_options: { publicKey } } };
  expect((await respond(client, factorId, stranger, {}, asNew)).error).toEqual(wrong);

  const given = await ask(client, factorId);
  expect((await respond(client, factorId, key, {}, given)).error).toBeNull();
  const again = { status: 422, code: 'mfa_factor_not_found' };
  expect((await respond(await signIn(owner), factorId, key, {}, given)).error).toEqual(again);
  expect((await respond(client, factorId, key, {}, given)).error).toEqual(again);
});

test('a code does not stand for a security key, and a removed key lowers its sessions', async () => {
  const { owner, factorId } = await withKey();
  const { id } = await ask(owner.client, factorId);
  const byCode = await callAuth(
    server,
    'POST',
    `/factors/${factorId}/verify`,
    { challenge_id: id, code: '123456' },
    await bearerOf(owner.client),
  );
  expect(byCode).toMatchObject({ status: 400, body: { message: 'WebAuthn config required' } });
  expect((await owner.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  const { data } = await owner.client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] });
});
