import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { type ProviderAccount, startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { aPerson, asProvider, errorOf, visitsOn } from './support/provider-visits.ts';

const database = await createTestDatabase();
const port = await ownPort();
const redirectUri = `http://localhost:${port}/auth/v1/callback`;
const provider = await startOidcProvider({ id: 'example', redirectUri });
const terse = await startOidcProvider({ id: 'terse', redirectUri, shortTokens: true });
const server = await startTestServer(database, {
  port,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings, terse.settings]) },
});
const { callbackPage, isOurPage, clientOf, begin, visit, signIn } = visitsOn(server, provider);
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

async function accountsWith(email: string | undefined) {
  return database.query('select id from auth.users where email = $1', [email]);
}

test('a new user gets an account with the address that the provider has proved', async () => {
  const person = aPerson();
  const { user, session } = await signIn(person);
  expect(user).toMatchObject({
    email: person.email,
    app_metadata: { provider: 'example', providers: ['example'] },
    user_metadata: { full_name: 'Olive Owner', email: person.email, email_verified: true },
    identities: [
      {
        provider: 'example',
        id: person.sub,
        email: person.email,
        identity_data: { sub: person.sub, iss: provider.issuer, email: person.email, email_verified: true },
      },
    ],
  });
  expect(user.email_confirmed_at).toBeTruthy();
  expect(decodeJwt(session.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'oauth' }] });
  expect(await database.query('select full_name, email from public.profiles where id = $1', [user.id])).toEqual([
    { full_name: 'Olive Owner', email: person.email },
  ]);
  expect((await signIn(person)).user.id, 'the second time it is the same account').toBe(user.id);
});

test('a provider may have the browser post its response, which is accepted in that browser only', async () => {
  const visitor = new Visitor();
  const client = clientOf(visitor);
  provider.person = aPerson();
  const isCallback = ({ href }: URL) => href.startsWith(`${redirectUri}?`);
  const posted = async () => {
    const responded = await visitor.follow(await begin(client), isCallback);
    // A form posted from another site comes without our cookies.
    const body = new URLSearchParams([...responded.searchParams, ['redirect_to', 'https://evil.example']]);
    return fetch(redirectUri, { method: 'POST', body, redirect: 'manual' });
  };
  const response = await posted();
  expect(response.status).toBe(303);
  const end = await visitor.follow(response.headers.get('location') ?? '', isOurPage);
  const { data, error } = await client.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
  expect(error).toBeNull();
  expect(data.user?.email).toBe(provider.person.email);

  const another = await posted();
  const astray = await new Visitor().follow(another.headers.get('location') ?? '', isOurPage);
  expect(errorOf(astray)).toBe('bad_oauth_state');
  const tooMuch = await fetch(redirectUri, { method: 'POST', body: 'state='.padEnd(20_000, 'x'), redirect: 'manual' });
  expect(tooMuch.status).toBe(413);
});

test('an account whose address both sides have proved is signed in to, and keeps its password', async () => {
  const email = anEmail();
  const made = await operator.createUser({ email, password: 'correct horse', email_confirm: true });
  const { user } = await signIn(aPerson({ email: email.toUpperCase() }));
  expect(user.id).toBe(made.data.user?.id);
  expect(user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'example'] });
  const byPassword = await server.client().auth.signInWithPassword({ email, password: 'correct horse' });
  expect(byPassword.error).toBeNull();
});

test('an account confirmed by phone only is not handed over: proving its address creates another account', async () => {
  const owner = await registerOwner(server);
  expect(owner.user.email_confirmed_at).toBeUndefined();
  const { user } = await signIn(aPerson({ email: owner.email }));
  expect(user).toMatchObject({ email: owner.email, phone: '' });
  expect(user.id).not.toBe(owner.user.id);
  const left = (await operator.getUserById(owner.user.id)).data.user;
  expect(left).toMatchObject({ email: '', phone: owner.phone.slice(1), app_metadata: { address_lost: true } });
  expect(left?.identities).toHaveLength(1);
});

test.each(['maya.cohen@example.org', '+972 50 123 4567', ' \u00a0'])(
  'a name claim that is no name (%s) is no name of the account, and finders are not shown it [K73]',
  async (name) => {
    const { user } = await signIn({ ...aPerson(), name });
    expect(user.user_metadata).not.toHaveProperty('full_name');
    const [profile] = await database.query('select full_name from public.profiles where id = $1', [user.id]);
    expect(profile).toEqual({ full_name: null });
    // Nor where an earlier release stored it.
    await database.query('update public.profiles set full_name = $2 where id = $1', [user.id, name]);
    const { qrId } = await createItem(database, user);
    expect((await server.client().rpc('find_item', { qr_id_param: qrId })).data).toMatchObject({
      owner_first_name: 'Item Owner',
    });
  },
);

test('the password, name, and phone of a stranger’s unconfirmed registration of the address are removed', async () => {
  const email = anEmail();
  const stranger = server.client();
  await stranger.auth.signUp({
    email,
    password: 'the stranger’s',
    options: { data: { full_name: 'Mallory', phone: '+972502234567' } },
  });
  const { user } = await signIn(aPerson({ email }));
  expect(user.user_metadata).toMatchObject({ full_name: 'Olive Owner', email_verified: true });
  expect(user.user_metadata).not.toHaveProperty('phone');
  expect(user.identities?.map((identity) => identity.provider)).toEqual(['example']);
  expect(await database.query('select full_name, phone from public.profiles where id = $1', [user.id])).toEqual([
    { full_name: 'Olive Owner', phone: null },
  ]);
  expect((await stranger.auth.signInWithPassword({ email, password: 'the stranger’s' })).error?.code).toBe(
    'invalid_credentials',
  );
  const token = server.delivery.codeFor('+972502234567');
  expect((await stranger.auth.verifyOtp({ email, token, type: 'signup' })).error?.code).toBe('otp_expired');
});

test.each([
  ['has not verified', { email_verified: false }, 'provider_email_needs_verification'],
  ['says nothing about', { email_verified: undefined }, 'provider_email_needs_verification'],
  ['calls verified as text, not as a boolean', { email_verified: 'true' }, 'provider_email_needs_verification'],
])('an address that the provider %s is linked to no account and creates none', async (_name, details, code) => {
  const owned = anEmail();
  const made = await operator.createUser({ email: owned, email_confirm: true });
  for (const email of [owned, anEmail()]) {
    const visitor = new Visitor();
    expect(errorOf(await visit(clientOf(visitor), visitor, aPerson({ email, ...details })))).toBe(code);
    expect(await accountsWith(email)).toEqual(email === owned ? [{ id: made.data.user?.id }] : []);
  }
  expect((await operator.getUserById(made.data.user?.id ?? '')).data.user?.identities).toHaveLength(1);
});

test('a provider without an address, a refusal by the provider, and a banned account each get their own error', async () => {
  const reported = async (person: ProviderAccount | null) => {
    const visitor = new Visitor();
    return errorOf(await visit(clientOf(visitor), visitor, person));
  };
  expect(await reported({ sub: 'without an address', email_verified: true })).toBe('email_address_not_provided');
  expect(await reported(null)).toBe('bad_oauth_callback');
  const person = aPerson();
  const { user } = await signIn(person);
  await operator.updateUserById(user.id, { ban_duration: '1h' });
  expect(await reported(person)).toBe('user_banned');
});

test('a provider that leaves the address out of its token is queried for it', async () => {
  const person = aPerson();
  expect((await signIn(person, terse)).user).toMatchObject({
    email: person.email,
    app_metadata: { provider: 'terse' },
  });
});

test('two providers that know the same person lead to one account', async () => {
  const person = aPerson();
  const first = await signIn(person);
  const second = await signIn({ ...person, sub: 'known-elsewhere' }, terse);
  expect(second.user.id).toBe(first.user.id);
  expect(second.user.app_metadata.providers).toEqual(['example', 'terse']);
});

test('a client without a proof key gets its session in the fragment', async () => {
  const visitor = new Visitor();
  const person = aPerson();
  const end = await visit(clientOf(visitor, 'implicit'), visitor, person);
  expect(end.origin + end.pathname).toBe(callbackPage);
  expect(end.search).toBe('');
  const fragment = new URLSearchParams(end.hash.slice(1));
  expect(fragment.get('token_type')).toBe('bearer');
  const { data } = await server.client().auth.getUser(fragment.get('access_token') ?? '');
  expect(data.user?.email).toBe(person.email);
});

test('twenty simultaneous first sign-ins of one user create one account', async () => {
  const person = aPerson();
  provider.person = person;
  const visits = Array.from({ length: 20 }, async () => {
    const visitor = new Visitor();
    const end = await visit(clientOf(visitor), visitor, person);
    return end.searchParams.get('code');
  });
  const codes = await Promise.all(visits);
  expect(codes.filter((code) => code !== null)).not.toEqual([]);
  expect(await accountsWith(person.email)).toHaveLength(1);
});

test('a client can request more scopes and another account from the provider, and no parameter that the server sets', async () => {
  const client = clientOf(new Visitor());
  const { data } = await client.auth.signInWithOAuth({
    provider: asProvider('example'),
    options: {
      scopes: 'groups, email phone',
      queryParams: { prompt: 'login', login_hint: 'olive@example.org', nonce: 'mine', response_mode: 'fragment' },
      skipBrowserRedirect: true,
    },
  });
  const response = await fetch(data.url ?? '', { redirect: 'manual' });
  const asked = new URL(response.headers.get('location') ?? '').searchParams;
  expect(asked.getAll('scope')).toEqual(['openid email profile groups phone']);
  expect(asked.get('prompt')).toBe('login');
  expect(asked.get('login_hint')).toBe('olive@example.org');
  expect(asked.has('response_mode')).toBe(false);
  expect(asked.get('nonce')).not.toBe('mine');
});

test('an unknown provider, half a proof key, and a foreign page are refused before any redirect', async () => {
  for (const query of [
    'provider=nobody',
    '',
    'provider=__proto__',
    'provider=example&code_challenge=abc',
    `provider=example&code_challenge_method=plain&code_challenge=${'x'.repeat(43)}`,
    'provider=example&scopes=a%22b',
    'provider=example&scopes=a%0Ab',
  ]) {
    const response = await callAuth(server, 'GET', `/authorize?${query}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  }
  provider.person = aPerson();
  const visitor = new Visitor();
  const end = await visitor.follow(
    `${server.url}/auth/v1/authorize?provider=example&redirect_to=https://evil.example/`,
    isOurPage,
  );
  expect(end.origin + end.pathname).toBe(callbackPage);
});

test('the configuration reaches the pages, without its secrets', async () => {
  const page = await (await server.request('/auth')).text();
  expect(page).toContain('The example provider');
  expect(page).not.toContain('a secret of both');
  expect((await callAuth(server, 'GET', '/settings')).status).toBe(200);
});
