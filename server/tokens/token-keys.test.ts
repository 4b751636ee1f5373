import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { makeSecrets, type Secrets } from '#server/start/secrets.ts';
import { inTurns, mutantsOf } from '#tests/contract/auth/support/mutant-tokens.ts';
import { createResolveCaller, type ResolveCaller } from './resolve-caller.ts';
import { openTokenKeys, type TokenKeys } from './token-keys.ts';

const issuer = 'https://lost.example.org/auth/v1';
const person = '3f0c8d63-2a37-4a5c-9d32-4c5b4b7c6a11';
let time = Date.UTC(2026, 0, 1);
const now = () => time;
const seconds = () => Math.floor(time / 1000);
const claims = () => ({
  iss: issuer,
  aud: 'authenticated',
  sub: person,
  role: 'authenticated',
  iat: seconds(),
  exp: seconds() + 3600,
});

let secrets: Secrets;
let tokens: TokenKeys;
let resolve: ResolveCaller;
beforeAll(async () => {
  secrets = await makeSecrets();
  tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer, now });
  resolve = await createResolveCaller({
    tokens,
    ...secrets,
    now,
    readStanding: async () => ({ outcome: 'stands', unfinished: false, until: Number.POSITIVE_INFINITY }),
    database: { listen: async () => () => undefined, isHearing: () => true },
  });
});

const bearer = (token: string) => resolve(`Bearer ${token}`, secrets.publishableKey);

test('a token of ours is its subject, with its claims', async () => {
  const resolved = await bearer(tokens.sign(claims()));
  expect(resolved).toMatchObject({ ok: true, caller: { role: 'authenticated', claims: { sub: person } } });
});

test('an expired token is reported as expired, also right after it was valid', async () => {
  const token = tokens.sign({ ...claims(), exp: seconds() + 60 });
  expect(await bearer(token)).toMatchObject({ ok: true });
  time += 70_000;
  expect(await bearer(token)).toMatchObject({ ok: false, reason: 'expired' });
});

test.each([
  ['another issuer', { iss: 'https://evil.example' }],
  ['another audience', { aud: 'service' }],
  ['the role of the service', { role: 'service_role' }],
  ['the role of a visitor', { role: 'anon' }],
  ['no subject', { sub: undefined }],
  ['no end', { exp: undefined }],
  ['a beginning in the future', { nbf: 4_000_000_000 }],
])('a token of ours with %s is refused', async (_what, change) => {
  expect(await bearer(tokens.sign({ ...claims(), ...change }))).toMatchObject({ ok: false });
});

test('a token that names no algorithm is refused', async () => {
  expect(await bearer(new UnsecuredJWT(claims()).encode())).toMatchObject({ ok: false });
});

test('our public key is not a shared secret: a token signed with it by HS256 is refused', async () => {
  const [jwk] = tokens.publicKeys.keys;
  const publicKey = await importJWK(jwk ?? {}, 'ES256', { extractable: true });
  if (publicKey instanceof Uint8Array) throw new Error('An ES256 key is not raw bytes.');
  for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwk), jwk?.x ?? '']) {
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: jwk?.kid ?? '' })
      .sign(new TextEncoder().encode(secret.padEnd(32, ' ')));
    expect(await bearer(token)).toMatchObject({ ok: false });
  }
});

test('a key that a token brings along is not used', async () => {
  const others = await makeSecrets();
  const [foreign] = others.jwtKeys.keys;
  const { d: _private, ...publicPart } = foreign ?? {};
  for (const header of [
    { jwk: publicPart },
    { kid: foreign?.kid },
    { kid: secrets.jwtKeys.keys[0]?.kid },
    { kid: '../../etc/passwd' },
  ]) {
    const token = await new SignJWT(claims())
      // An attacker controls the header.
      .setProtectedHeader({ alg: 'ES256', ...header } as { alg: string })
      .sign(await importJWK(foreign ?? {}, 'ES256'));
    expect(await bearer(token)).toMatchObject({ ok: false });
  }
});

test('thousands of variations of a valid token are all refused [B14]', async () => {
  const token = tokens.sign(claims());
  const tried = mutantsOf(token, 10_000);
  const responses = await inTurns(tried, async (one) => bearer(one));
  expect(responses.length).toBeGreaterThan(9_000);
  expect(tried.filter((_mutant, at) => responses[at]?.ok)).toEqual([]);
  expect(await bearer(token)).toMatchObject({ ok: true });
});

test('a key stands for its role, a missing key for a visitor, and an unknown key is refused', async () => {
  expect(await resolve(null, null)).toMatchObject({ ok: true, caller: { role: 'anon' } });
  expect(await resolve(null, secrets.publishableKey)).toMatchObject({ ok: true, caller: { role: 'anon' } });
  expect(await resolve(`Bearer ${secrets.secretKey}`, secrets.secretKey)).toMatchObject({
    caller: { role: 'service_role' },
  });
  expect(await resolve(null, 'sb_secret_guess')).toMatchObject({ ok: false, reason: 'malformed' });
  expect(await resolve('Basic dXNlcg==', secrets.publishableKey)).toMatchObject({ ok: false, reason: 'malformed' });
});

test('the key set shows public halves only', () => {
  expect(JSON.stringify(tokens.publicKeys)).not.toContain(secrets.jwtKeys.keys[0]?.d ?? 'none');
});

test('a set without an ES256 private key is refused at start', async () => {
  await expect(openTokenKeys({ jwtKeys: { keys: [] }, issuer, now })).rejects.toThrow(/no key/);
  await expect(openTokenKeys({ jwtKeys: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, issuer, now })).rejects.toThrow(
    /ES256/,
  );
});
