import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { aPerson, asProvider, errorOf, visitsOn } from './support/provider-visits.ts';

const database = await createTestDatabase();
const port = await ownPort();
const provider = await startOidcProvider({ id: 'example', redirectUri: `http://localhost:${port}/auth/v1/callback` });
const server = await startTestServer(database, {
  port,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings]), ANONYMOUS_SIGN_INS: 'true' },
});
const { callbackPage, clientOf, isOurPage, signIn } = visitsOn(server, provider);
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

/** An owner with a password, signed in in a browser. */
async function anOwner() {
  const email = anEmail();
  await operator.createUser({ email, password: 'correct horse', email_confirm: true });
  const visitor = new Visitor();
  const client = clientOf(visitor);
  const { data, error } = await client.auth.signInWithPassword({ email, password: 'correct horse' });
  if (error !== null) throw error;
  return { client, visitor, email, user: data.user, session: data.session };
}

type Owner = Awaited<ReturnType<typeof anOwner>>;

async function beginLinking({ client }: Pick<Owner, 'client'>): Promise<string> {
  const { data, error } = await client.auth.linkIdentity({
    provider: asProvider('example'),
    options: { redirectTo: callbackPage, skipBrowserRedirect: true },
  });
  if (error !== null) throw error;
  return data.url ?? '';
}

async function link(owner: Pick<Owner, 'client' | 'visitor'>, person = aPerson()): Promise<URL> {
  provider.person = person;
  return owner.visitor.follow(await beginLinking(owner), isOurPage);
}

async function identitiesOf({ client }: Pick<Owner, 'client'>) {
  const { data, error } = await client.auth.getUserIdentities();
  if (error !== null) throw error;
  return data.identities;
}

test('an owner links an identity, whatever its address, and signs in with it from then on', async () => {
  const owner = await anOwner();
  const person = aPerson({ email_verified: false });
  const end = await link(owner, person);
  const exchanged = await owner.client.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
  expect(exchanged.data.user?.id).toBe(owner.user.id);
  expect(exchanged.data.user).toMatchObject({
    email: owner.email,
    app_metadata: { provider: 'email', providers: ['email', 'example'] },
  });
  expect((await identitiesOf(owner)).map((identity) => [identity.provider, identity.id])).toEqual([
    ['email', owner.user.id],
    ['example', person.sub],
  ]);
  expect((await signIn(person)).user.id).toBe(owner.user.id);
});

test('an anonymous visitor links an identity, and is anonymous no longer', async () => {
  const visitor = new Visitor();
  const client = clientOf(visitor);
  const { data } = await client.auth.signInAnonymously();
  const person = aPerson();
  await link({ client, visitor }, person);
  const { user, session } = await signIn(person);
  expect(user).toMatchObject({ id: data.user?.id, is_anonymous: false });
  expect(decodeJwt(session.access_token)).toMatchObject({ is_anonymous: false });
});

test('an identity that is linked is linked once: neither twice to one account nor to a second', async () => {
  const [first, second] = [await anOwner(), await anOwner()];
  const person = aPerson();
  expect((await link(first, person)).searchParams.get('code')).toBeTruthy();
  for (const owner of [first, second]) {
    owner.visitor.forget(provider.issuer);
    expect(errorOf(await link(owner, person))).toBe('identity_already_exists');
  }
  expect(await identitiesOf(second)).toHaveLength(1);
});

test('an unlinked identity no longer signs in, and can be linked again', async () => {
  const owner = await anOwner();
  const person = aPerson();
  await link(owner, person);
  const [, linked] = await identitiesOf(owner);
  if (linked === undefined) throw new Error('It was not linked.');
  expect((await owner.client.auth.unlinkIdentity(linked)).error).toBeNull();
  expect((await owner.client.auth.getUser()).data.user).toMatchObject({
    app_metadata: { provider: 'email', providers: ['email'] },
    identities: [{ provider: 'email' }],
  });
  expect((await signIn(person)).user.id, 'it is somebody else now').not.toBe(owner.user.id);
  expect((await owner.client.auth.unlinkIdentity(linked)).error).toMatchObject({ code: 'identity_not_found' });
});

test('the last identity, the account’s own address, and another account’s identity cannot be unlinked', async () => {
  const owner = await anOwner();
  const stranger = await signIn(aPerson());
  const [own] = await identitiesOf(owner);
  const [theirs] = await identitiesOf(stranger);
  if (own === undefined || theirs === undefined) throw new Error('Everybody has an identity.');
  const refused = [
    [stranger, theirs.identity_id, 422, 'single_identity_not_deletable'],
    [owner, own.identity_id, 422, 'single_identity_not_deletable'],
    [owner, theirs.identity_id, 404, 'identity_not_found'],
    [owner, randomUUID(), 404, 'identity_not_found'],
    [owner, 'first', 404, 'identity_not_found'],
  ] as const;
  for (const [{ session }, id, status, code] of refused) {
    const response = await callAuth(server, 'DELETE', `/user/identities/${id}`, undefined, {
      Authorization: `Bearer ${session.access_token}`,
    });
    expect(response).toMatchObject({ status, body: { code } });
  }
  await link(owner);
  expect((await owner.client.auth.unlinkIdentity(own)).error).toMatchObject({
    code: 'email_conflict_identity_not_deletable',
  });
  expect(await identitiesOf(stranger)).toHaveLength(1);
});

test('when both identities are unlinked at once, one stays', async () => {
  const person = aPerson();
  const { client, visitor, user } = await signIn(person);
  visitor.forget(provider.issuer);
  await link({ client, visitor });
  const [first, second] = await identitiesOf({ client });
  if (first === undefined || second === undefined) throw new Error('There are two.');
  const responses = await Promise.all([first, second].map((identity) => client.auth.unlinkIdentity(identity)));
  expect(responses.map(({ error }) => error?.code ?? 'unlinked').toSorted()).toEqual([
    'single_identity_not_deletable',
    'unlinked',
  ]);
  expect(await database.query('select from auth.identities where user_id = $1', [user.id])).toHaveLength(1);
});

test('a stranger’s link request is refused in another browser', async () => {
  const mallory = await anOwner();
  const url = await beginLinking(mallory);
  provider.person = aPerson();
  expect(errorOf(await new Visitor().follow(url, isOurPage))).toBe('bad_oauth_state');
  expect(await identitiesOf(mallory)).toHaveLength(1);
});

test('a visit to link ends with the session that began it', async () => {
  const owner = await anOwner();
  const url = await beginLinking(owner);
  await owner.client.auth.signOut();
  provider.person = aPerson();
  expect(errorOf(await owner.visitor.follow(url, isOurPage))).toBe('bad_oauth_state');
  expect(await database.query('select from auth.identities where user_id = $1', [owner.user.id])).toHaveLength(1);
});

test('linking and unlinking require a session', async () => {
  for (const [method, path] of [
    ['GET', '/user/identities/authorize?provider=example&skip_http_redirect=true'],
    ['DELETE', `/user/identities/${randomUUID()}`],
  ] as const) {
    expect(await callAuth(server, method, path)).toMatchObject({ status: 401, body: { code: 'no_authorization' } });
  }
});
