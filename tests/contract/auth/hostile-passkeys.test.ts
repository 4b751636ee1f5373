import { expect, test } from 'vitest';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { passkeyCalls } from './support/passkey-calls.ts';
import { type Lies, SoftwareKey } from './support/software-key.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const { addPasskey, signIn, signInByPassword, withPasskey } = passkeyCalls(server);

const HOSTILE: readonly (readonly [string, Lies])[] = [
  ['another origin', { origin: 'https://localhost.example.com' }],
  ['another port of this host', { origin: 'http://localhost:1' }],
  ['another relying party', { rpId: 'example.com' }],
  ['a challenge that was not given', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['a registration as a sign-in', { type: 'webauthn.create' }],
  ['a counter that goes back', { counter: 1 }],
  ['a counter of 0 after others', { counter: 0 }],
  ['the account of another user handle', { userHandle: Buffer.from(crypto.randomUUID()).toString('base64url') }],
  ['no user handle', { userHandle: '' }],
  ['no user', { userPresent: false }],
  ['another signature', { signature: Buffer.alloc(70, 1) }],
];

test.each(HOSTILE)('a sign-in by passkey is refused with %s [K100]', async (_, lies) => {
  const { owner, key } = await withPasskey();
  expect((await signIn(key)).error).toBeNull();
  const before = await sessionsOf(owner);
  expect((await signIn(key, lies)).error).toMatchObject({ status: 400, code: 'webauthn_verification_failed' });
  expect(await sessionsOf(owner)).toBe(before);
  expect((await signIn(key)).error).toBeNull();
});

const sessionsOf = async ({ user }: RegisteredOwner) =>
  (await database.query('select id from auth.sessions where user_id = $1', [user.id])).length;

test('a passkey of one account does not sign in to another, and is not registered for another [K100]', async () => {
  const { key } = await withPasskey();
  const { owner: victim, key: theirs } = await withPasskey();
  const userHandle = Buffer.from(victim.user.id).toString('base64url');
  for (const lies of [{ userHandle }, { credentialId: theirs.id }, { credentialId: theirs.id, userHandle }]) {
    expect((await signIn(key, lies)).error).toMatchObject({ code: 'webauthn_verification_failed' });
  }
  expect((await addPasskey(victim.client, key)).error).toMatchObject({
    status: 422,
    code: 'webauthn_credential_exists',
  });
  const thief = await registerOwner(server);
  const { data } = await victim.client.auth.passkey.list();
  const passkeyId = data?.[0]?.id ?? '';
  const refused = { status: 404, code: 'validation_failed', message: 'Passkey not found' };
  expect((await thief.client.auth.passkey.delete({ passkeyId })).error).toMatchObject(refused);
  expect((await thief.client.auth.passkey.update({ passkeyId, friendlyName: 'Mine' })).error).toMatchObject(refused);
  expect((await thief.client.auth.passkey.list()).data).toEqual([]);
});

test('a signature is accepted once, and within five minutes [K100]', async () => {
  // A passkey of a phone has no counter that would show the replay.
  const { key } = await withPasskey(new SoftwareKey(server.url, { counts: false }));
  const { error, signed } = await signIn(key);
  expect(error).toBeNull();
  const again = await server.client().auth.passkey.verifyAuthentication(signed);
  const spent = { status: 400, code: 'webauthn_challenge_not_found' };
  expect(again.error).toMatchObject(spent);
  // One whose counter would show it gets the same answer.
  const { key: counting } = await withPasskey();
  const { signed: counted } = await signIn(counting);
  expect((await server.client().auth.passkey.verifyAuthentication(counted)).error).toMatchObject(spent);

  const client = server.client();
  const { data } = await client.auth.passkey.startAuthentication();
  if (data === null) throw new Error('There is no challenge.');
  const late = { challengeId: data.challenge_id, credential: key.get(data.options) };
  clock.advance(300_000);
  expect((await client.auth.passkey.verifyAuthentication(late)).error).toMatchObject({
    status: 400,
    code: 'webauthn_challenge_expired',
  });
  // An id that says that it expires later was not given out.
  for (const seconds of [200, 1_000_000]) {
    const later = Math.floor(clock.now() / 1000 + seconds).toString(16);
    const forged = { ...late, challengeId: later + late.challengeId.slice(8) };
    expect((await client.auth.passkey.verifyAuthentication(forged)).error).toMatchObject(spent);
  }
});

test.each([
  '00000000-0000-0000-0000-000000000000',
  'b1b1b1b1-0000-4000-8000-000000000000',
  `${Math.floor(clock.now() / 1000 + 200).toString(16)}-1234-8234-8234-123456789012`,
])('a challenge that was not given out is not found: %s [K100]', async (challengeId) => {
  const { owner, key } = await withPasskey();
  const unknown = {
    status: 400,
    code: 'webauthn_challenge_not_found',
    message: 'Challenge not found or already used',
  };
  const { data: shown } = await server.client().auth.passkey.startAuthentication();
  const { data: made } = await owner.client.auth.passkey.startRegistration();
  if (shown === null || made === null) throw new Error('There is no challenge.');
  const credential = key.get(shown.options);
  const created = new SoftwareKey(server.url).create(made.options);
  const { passkey } = owner.client.auth;
  expect((await passkey.verifyAuthentication({ challengeId, credential })).error).toMatchObject(unknown);
  expect((await passkey.verifyRegistration({ challengeId, credential: created })).error).toMatchObject(unknown);
});

test('a wrong signature spends its challenge [K100]', async () => {
  const { key } = await withPasskey();
  const { auth } = server.client();
  const { data } = await auth.passkey.startAuthentication();
  if (data === null) throw new Error('There is no challenge.');
  const send = async (lies: Lies) =>
    (
      await auth.passkey.verifyAuthentication({
        challengeId: data.challenge_id,
        credential: key.get(data.options, lies),
      })
    ).error?.code;
  expect(await send({ userPresent: false })).toBe('webauthn_verification_failed');
  expect(await send({})).toBe('webauthn_challenge_not_found');
});

test('of many clients that send one signature at once, one is signed in [K100]', async () => {
  const { owner, key } = await withPasskey(new SoftwareKey(server.url, { counts: false }));
  const { data } = await server.client().auth.passkey.startAuthentication();
  if (data === null) throw new Error('There is no challenge.');
  const signed = { challengeId: data.challenge_id, credential: key.get(data.options) };
  const before = await sessionsOf(owner);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => server.client().auth.passkey.verifyAuthentication(signed)),
  );
  expect(all.filter(({ error }) => error === null)).toHaveLength(1);
  expect(await sessionsOf(owner)).toBe(before + 1);
});

test('the challenge of a registration is for its session, for a registration, and once [K100]', async () => {
  const owner = await registerOwner(server);
  const key = new SoftwareKey(server.url, { counts: false });
  const { data } = await owner.client.auth.passkey.startRegistration();
  if (data === null) throw new Error('There is no challenge.');
  const challengeId = data.challenge_id;
  const credential = key.create(data.options);
  const elsewhere = await signInByPassword(owner);
  const notFound = { status: 400, code: 'webauthn_challenge_not_found' };
  expect((await elsewhere.auth.passkey.verifyRegistration({ challengeId, credential })).error).toMatchObject(notFound);
  const { data: added } = await owner.client.auth.passkey.verifyRegistration({ challengeId, credential });
  expect(added?.id).toBeDefined();
  const { data: next } = await owner.client.auth.passkey.startRegistration();
  if (next === null) throw new Error('There is no challenge.');
  const asSignIn = await server.client().auth.passkey.verifyAuthentication({
    challengeId: next.challenge_id,
    credential: key.get({ challenge: next.options.challenge, rpId: 'localhost' }),
  });
  expect(asSignIn.error).toMatchObject(notFound);
  await owner.client.auth.passkey.delete({ passkeyId: added?.id ?? '' });
  expect((await owner.client.auth.passkey.verifyRegistration({ challengeId, credential })).error).toMatchObject(
    notFound,
  );
  const { data: shown } = await server.client().auth.passkey.startAuthentication();
  if (shown === null) throw new Error('There is no challenge.');
  const asRegistration = await owner.client.auth.passkey.verifyRegistration({
    challengeId: shown.challenge_id,
    credential: key.create({ ...data.options, challenge: shown.options.challenge }),
  });
  expect(asRegistration.error).toMatchObject(notFound);
});

test('a refusal says which field is missing, and a malformed credential fails verification [K100]', async () => {
  const owner = await registerOwner(server);
  const { data } = await owner.client.auth.getSession();
  const authorization = { Authorization: `Bearer ${data.session?.access_token}` };
  for (const what of ['authentication', 'registration']) {
    const send = async (fields: (challengeId: string) => object) => {
      const { body } = await callAuth(server, 'POST', `/passkeys/${what}/options`, {}, authorization);
      const verified = await callAuth(
        server,
        'POST',
        `/passkeys/${what}/verify`,
        fields(String(body.challenge_id)),
        authorization,
      );
      return [verified.status, verified.body.code, verified.body.message];
    };
    const invalid = [400, 'validation_failed'];
    expect(await send(() => ({ credential: {} }))).toEqual([...invalid, 'challenge_id is required']);
    expect(await send(() => ({ challenge_id: 'x' }))).toEqual([...invalid, 'challenge_id must be a valid UUID']);
    expect(await send((challenge_id) => ({ challenge_id }))).toEqual([...invalid, 'credential is required']);
    for (const credential of ['text', 3, [], {}, { id: 'abc', rawId: 'abc', type: 'public-key', response: {} }]) {
      expect(await send((challenge_id) => ({ challenge_id, credential })), JSON.stringify(credential)).toEqual([
        400,
        'webauthn_verification_failed',
        'Invalid credential response',
      ]);
    }
  }
});

test.each([
  ['another origin', { origin: 'https://example.com' }],
  ['another relying party', { rpId: 'example.com' }],
  ['a sign-in as a registration', { type: 'webauthn.get' }],
  ['an id that is not the authenticator’s', { credentialId: Buffer.alloc(32, 7).toString('base64url') }],
] as const)('a registration is refused with %s [K100]', async (_, lies) => {
  const owner = await registerOwner(server);
  expect((await addPasskey(owner.client, undefined, lies)).error).toMatchObject({
    status: 400,
    code: 'webauthn_verification_failed',
  });
  expect((await owner.client.auth.passkey.list()).data).toEqual([]);
});

test.each([
  ['an unknown format', { fmt: 'of-no-standard', statement: new Map([['sig', 'nothing']]) }],
  ['a signature that is none', { fmt: 'packed', statement: new Map([['sig', Buffer.alloc(70)]]) }],
  ['a certificate', { fmt: 'fido-u2f', statement: new Map([['x5c', Buffer.alloc(200)]]) }],
] as const)('an attestation was not asked for and is not read: %s [K100]', async (_, attestation) => {
  const owner = await registerOwner(server);
  const { key, error } = await addPasskey(owner.client, undefined, { attestation });
  expect(error).toBeNull();
  expect((await signIn(key)).error).toBeNull();
});
