import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { aPerson, errorOf, visitsOn } from './support/provider-visits.ts';
import { redirectPayloads } from './support/redirect-payloads.ts';

const database = await createTestDatabase();
const port = await ownPort();
const redirectUri = `http://localhost:${port}/auth/v1/callback`;
const provider = await startOidcProvider({ id: 'example', redirectUri });
const other = await startOidcProvider({ id: 'other', redirectUri });
const liar = { ...other.settings, id: 'liar', issuer: `${other.issuer}/somebody-else` };
const server = await startTestServer(database, {
  port,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings, other.settings, liar]) },
});
const { begin, clientOf, isOurPage, signIn, visit } = visitsOn(server, provider);

afterEach(() => {
  provider.tamper = undefined;
  provider.broken = false;
});

async function countAccounts(): Promise<unknown> {
  const [row] = await database.query('select count(*) from auth.users');
  return row;
}

/** The token with other claims, signed by the provider's own key. */
function withClaims(change: Readonly<Record<string, unknown>>): (idToken: string) => Promise<string> {
  return async (idToken) =>
    new SignJWT({ ...decodeJwt(idToken), ...change })
      .setProtectedHeader({ alg: 'RS256', kid: 'current' })
      .sign(await importJWK(provider.signingKey, 'RS256'));
}

const now = () => Math.floor(Date.now() / 1000);

const LIES: readonly (readonly [name: string, tamper: (idToken: string) => Promise<string>])[] = [
  ['of another issuer', withClaims({ iss: 'https://accounts.example.com' })],
  ['for another audience', withClaims({ aud: 'another-service' })],
  ['for several audiences and another party', withClaims({ aud: ['reunite', 'x'], azp: 'x' })],
  ['with the nonce of another visit', withClaims({ nonce: 'x'.repeat(43) })],
  ['without a nonce', withClaims({ nonce: undefined })],
  ['that has expired', withClaims({ iat: now() - 7200, exp: now() - 3600 })],
  ['without an expiry', withClaims({ exp: undefined })],
  ['without a subject', withClaims({ sub: undefined })],
  ['that is not signed', async (idToken) => new UnsecuredJWT(decodeJwt(idToken)).encode()],
  [
    'that another key signed under the same name',
    async (idToken) => {
      const { privateKey } = await generateKeyPair('RS256');
      return new SignJWT(decodeJwt(idToken)).setProtectedHeader({ alg: 'RS256', kid: 'current' }).sign(privateKey);
    },
  ],
  [
    'that is signed with the public key as a secret',
    async (idToken) => {
      const { d: _private, ...publicKey } = provider.signingKey;
      return new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'HS256', kid: 'current' })
        .sign(Buffer.from(JSON.stringify(publicKey)));
    },
  ],
  [
    'that brings its own key along',
    async (idToken) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
      return new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
        .sign(privateKey);
    },
  ],
  ['that is malformed', async () => 'none'],
  ['with another signature', async (idToken) => `${idToken.slice(0, -8)}AAAAAAAA`],
];

test.each(LIES)('an ID token %s does not sign in [B17]', async (_name, tamper) => {
  const before = await countAccounts();
  const visitor = new Visitor();
  provider.tamper = tamper;
  expect(errorOf(await visit(clientOf(visitor), visitor, aPerson()))).toBe('bad_oauth_callback');
  expect(await countAccounts()).toEqual(before);
  provider.tamper = async (idToken) => idToken;
  await signIn(aPerson());
});

test('the provider’s response is not logged', async () => {
  const visitor = new Visitor();
  let seen = '';
  provider.tamper = async (idToken) => {
    seen = idToken;
    return withClaims({ nonce: 'wrong' })(idToken);
  };
  const person = aPerson();
  await visit(clientOf(visitor), visitor, person);
  const log = server.logged.join('');
  expect(log).toContain('A sign-in provider failed.');
  for (const secret of [seen.split('.')[1], person.email, provider.settings.clientSecret]) {
    expect(log).not.toContain(secret);
  }
});

/** Runs a visit up to the provider's response, which is not delivered. */
async function stopBeforeCallback(visitor: Visitor, person = aPerson()): Promise<URL> {
  provider.person = person;
  const isCallback = ({ pathname }: URL) => pathname === '/auth/v1/callback';
  return visitor.follow(await begin(clientOf(visitor)), isCallback);
}

test('a provider’s response is accepted once, among ten simultaneous deliveries and when repeated', async () => {
  const visitor = new Visitor();
  const response = await stopBeforeCallback(visitor);
  const ends = await Promise.all(Array.from({ length: 10 }, () => visitor.follow(response.href, isOurPage)));
  expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(1);
  expect(errorOf(await visitor.follow(response.href, isOurPage))).toBe('bad_oauth_state');
});

test('a response delivered by another browser is refused, so that no user lands in a stranger’s account [B17]', async () => {
  const response = await stopBeforeCallback(new Visitor());
  const victim = new Visitor();
  expect(errorOf(await victim.follow(response.href, isOurPage)), 'without a visit').toBe('bad_oauth_state');
  await stopBeforeCallback(victim);
  expect(errorOf(await victim.follow(response.href, isOurPage)), 'with a visit of its own').toBe('bad_oauth_state');
});

test('the code of one visit with the state of another does not sign in', async () => {
  const visitor = new Visitor();
  const [first, second] = [await stopBeforeCallback(visitor), await stopBeforeCallback(new Visitor())];
  first.searchParams.set('code', second.searchParams.get('code') ?? '');
  expect(errorOf(await visitor.follow(first.href, isOurPage))).toBe('bad_oauth_callback');
});

test('one provider’s response under the state of another does not sign in [B17]', async () => {
  const visitor = new Visitor();
  const mine = await stopBeforeCallback(visitor);
  other.person = aPerson();
  const theirs = await visitor.follow(
    await begin(clientOf(visitor), other),
    ({ pathname }) => pathname === '/auth/v1/callback',
  );
  theirs.searchParams.set('state', mine.searchParams.get('state') ?? '');
  expect(errorOf(await visitor.follow(theirs.href, isOurPage))).toBe('bad_oauth_callback');
});

test.each([
  ['no state', (response: URL) => response.searchParams.delete('state'), 'bad_oauth_callback'],
  ['another state', (response: URL) => response.searchParams.set('state', 'x'.repeat(43)), 'bad_oauth_state'],
  ['two states', (response: URL) => response.searchParams.append('state', 'x'.repeat(43)), 'bad_oauth_state'],
  ['no code', (response: URL) => response.searchParams.delete('code'), 'bad_oauth_callback'],
  ['another code', (response: URL) => response.searchParams.set('code', 'x'), 'bad_oauth_callback'],
  ['two codes', (response: URL) => response.searchParams.append('code', 'x'), 'bad_oauth_callback'],
  ['another issuer', (response: URL) => response.searchParams.set('iss', 'https://evil.example'), 'bad_oauth_callback'],
])('a provider’s response with %s is refused and redirects nowhere else', async (_name, spoil, code) => {
  const visitor = new Visitor();
  const response = await stopBeforeCallback(visitor);
  spoil(response);
  const end = await visitor.follow(response.href, isOurPage);
  expect(errorOf(end)).toBe(code);
  expect(end.origin).toBe(server.url);
});

test('a provider’s response that comes too late is refused', async () => {
  const visitor = new Visitor();
  const response = await stopBeforeCallback(visitor);
  server.clock.advance(601_000);
  expect(errorOf(await visitor.follow(response.href, isOurPage))).toBe('bad_oauth_state');
});

test('no visit ends on another origin, whatever the request contains [B17]', async () => {
  const payloads = redirectPayloads(server.url, 'https://app.example.org/welcome');
  for (const payload of payloads) {
    const query = new URLSearchParams({ provider: 'example', redirect_to: payload });
    const begun = await server.request(`/auth/v1/authorize?${query}`);
    const asked = new URL(begun.headers.get('location') ?? '');
    expect(asked.origin, payload).toBe(provider.issuer);
    const response = new URLSearchParams({ error: 'access_denied', state: asked.searchParams.get('state') ?? '' });
    const ended = await server.request(`/auth/v1/callback?${response}`, {
      headers: { Cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' },
    });
    const end = ended.headers.get('location') ?? '';
    expect(end.startsWith(`${server.url}/auth/callback?error=access_denied`), `${payload} → ${end}`).toBe(true);
  }
  // An unknown provider cannot be asked, so there is no callback.
  const query = new URLSearchParams({ provider: 'nobody', redirect_to: 'https://evil.example' });
  const refused = await server.request(`/auth/v1/authorize?${query}`);
  expect(refused.headers.get('location') ?? `${server.url}/`).toMatch(new RegExp(`^${server.url}/`));
});

test('the table of visits holds no state, nonce, verifier or cookie that could be used', async () => {
  const visitor = new Visitor();
  provider.person = aPerson();
  const asked = await visitor.follow(await begin(clientOf(visitor)), ({ origin }) => origin === provider.issuer);
  const dump = JSON.stringify(await database.query("select *, encode(state_hash, 'hex') from auth.oidc_flows"));
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(asked.searchParams.get(name)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(dump).not.toContain(asked.searchParams.get(name));
  }
  expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
});

test('a provider that is down, broken, or an impostor affects only its own users', async () => {
  const visitor = new Visitor();
  const response = await stopBeforeCallback(visitor);
  provider.broken = true;
  expect(errorOf(await visitor.follow(response.href, isOurPage)), 'broken').toBe('request_timeout');
  provider.broken = false;
  expect(provider.asked(), 'what it says about itself is remembered').toBe(1);

  const client = clientOf(new Visitor());
  expect(errorOf(await new Visitor().follow(`${server.url}/auth/v1/authorize?provider=liar`, isOurPage))).toBe(
    'request_timeout',
  );

  server.clock.advance(3_600_000);
  await provider.stop();
  const down = await new Visitor().follow(await begin(client), isOurPage);
  expect(errorOf(down)).toBe('request_timeout');
  expect(down.searchParams.get('error_description')).toBe(
    'The example provider does not respond right now. Please try again in a moment.',
  );
  expect((await signIn(aPerson(), other)).user, 'another provider').toBeTruthy();
  expect((await callAuth(server, 'GET', '/health')).status).toBe(200);

  await provider.start();
  expect(errorOf(await new Visitor().follow(await begin(client), isOurPage)), 'not asked again at once').toBe(
    'request_timeout',
  );
  server.clock.advance(10_000);
  await signIn(aPerson());
});
