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
  ['that nobody signed', async (idToken) => new UnsecuredJWT(decodeJwt(idToken)).encode()],
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
  ['that is none', async () => 'none'],
  ['with another signature', async (idToken) => `${idToken.slice(0, -8)}AAAAAAAA`],
];

test.each(LIES)('an ID token %s signs nobody in', async (_name, tamper) => {
  const before = await countAccounts();
  const visitor = new Visitor();
  provider.tamper = tamper;
  expect(errorOf(await visit(clientOf(visitor), visitor, aPerson()))).toBe('bad_oauth_callback');
  expect(await countAccounts()).toEqual(before);
  provider.tamper = async (idToken) => idToken;
  await signIn(aPerson());
});

test('what the provider said stands in no log', async () => {
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

/** A visit as far as the provider's answer, which is not delivered. */
async function stopBeforeAnswer(visitor: Visitor, person = aPerson()): Promise<URL> {
  provider.person = person;
  const isAnswer = ({ pathname }: URL) => pathname === '/auth/v1/callback';
  return visitor.follow(await begin(clientOf(visitor)), isAnswer);
}

test('an answer is taken once: of ten deliveries at once, and of one that is repeated', async () => {
  const visitor = new Visitor();
  const answer = await stopBeforeAnswer(visitor);
  const ends = await Promise.all(Array.from({ length: 10 }, () => visitor.follow(answer.href, isOurPage)));
  expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(1);
  expect(errorOf(await visitor.follow(answer.href, isOurPage))).toBe('bad_oauth_state');
});

test('an answer that another browser delivers is refused: nobody is put into a stranger’s account', async () => {
  const answer = await stopBeforeAnswer(new Visitor());
  const victim = new Visitor();
  expect(errorOf(await victim.follow(answer.href, isOurPage)), 'without a visit').toBe('bad_oauth_state');
  await stopBeforeAnswer(victim);
  expect(errorOf(await victim.follow(answer.href, isOurPage)), 'with a visit of its own').toBe('bad_oauth_state');
});

test('the code of one visit under the state of another signs nobody in', async () => {
  const visitor = new Visitor();
  const [first, second] = [await stopBeforeAnswer(visitor), await stopBeforeAnswer(new Visitor())];
  first.searchParams.set('code', second.searchParams.get('code') ?? '');
  expect(errorOf(await visitor.follow(first.href, isOurPage))).toBe('bad_oauth_callback');
});

test('the answer of one provider under the state of another signs nobody in', async () => {
  const visitor = new Visitor();
  const mine = await stopBeforeAnswer(visitor);
  other.person = aPerson();
  const theirs = await visitor.follow(
    await begin(clientOf(visitor), other),
    ({ pathname }) => pathname === '/auth/v1/callback',
  );
  theirs.searchParams.set('state', mine.searchParams.get('state') ?? '');
  expect(errorOf(await visitor.follow(theirs.href, isOurPage))).toBe('bad_oauth_callback');
});

test.each([
  ['no state', (answer: URL) => answer.searchParams.delete('state'), 'bad_oauth_callback'],
  ['another state', (answer: URL) => answer.searchParams.set('state', 'x'.repeat(43)), 'bad_oauth_state'],
  ['two states', (answer: URL) => answer.searchParams.append('state', 'x'.repeat(43)), 'bad_oauth_state'],
  ['no code', (answer: URL) => answer.searchParams.delete('code'), 'bad_oauth_callback'],
  ['another code', (answer: URL) => answer.searchParams.set('code', 'x'), 'bad_oauth_callback'],
  ['two codes', (answer: URL) => answer.searchParams.append('code', 'x'), 'bad_oauth_callback'],
  ['another issuer', (answer: URL) => answer.searchParams.set('iss', 'https://evil.example'), 'bad_oauth_callback'],
])('an answer with %s is refused, and leads nowhere else', async (_name, spoil, code) => {
  const visitor = new Visitor();
  const answer = await stopBeforeAnswer(visitor);
  spoil(answer);
  const end = await visitor.follow(answer.href, isOurPage);
  expect(errorOf(end)).toBe(code);
  expect(end.origin).toBe(server.url);
});

test('an answer that comes too late is refused', async () => {
  const visitor = new Visitor();
  const answer = await stopBeforeAnswer(visitor);
  server.clock.advance(601_000);
  expect(errorOf(await visitor.follow(answer.href, isOurPage))).toBe('bad_oauth_state');
});

test('no visit ends anywhere but with us, whatever it was asked to', async () => {
  const payloads = redirectPayloads(server.url, 'https://app.example.org/welcome');
  for (const payload of payloads) {
    const query = new URLSearchParams({ provider: 'example', redirect_to: payload });
    const begun = await server.request(`/auth/v1/authorize?${query}`);
    const asked = new URL(begun.headers.get('location') ?? '');
    expect(asked.origin, payload).toBe(provider.issuer);
    const answer = new URLSearchParams({ error: 'access_denied', state: asked.searchParams.get('state') ?? '' });
    const ended = await server.request(`/auth/v1/callback?${answer}`, {
      headers: { Cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' },
    });
    const end = ended.headers.get('location') ?? '';
    expect(end.startsWith(`${server.url}/auth/callback?error=access_denied`), `${payload} → ${end}`).toBe(true);
  }
  // A provider that is not there has nobody to ask, and so nothing to come back from.
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

test('a provider that is down, broken or not who it says is told to whoever tries it, and nobody else notices', async () => {
  const visitor = new Visitor();
  const answer = await stopBeforeAnswer(visitor);
  provider.broken = true;
  expect(errorOf(await visitor.follow(answer.href, isOurPage)), 'broken').toBe('request_timeout');
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
    'The example provider does not answer right now. Please try again in a moment.',
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
