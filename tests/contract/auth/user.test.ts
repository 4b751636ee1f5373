import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

function bearer(owner: Pick<RegisteredOwner, 'session'>): Record<string, string> {
  return { Authorization: `Bearer ${owner.session.access_token}` };
}

async function signInAgain({ email, password }: RegisteredOwner): Promise<Pick<RegisteredOwner, 'client' | 'session'>> {
  const client = server.client();
  const { data } = await client.auth.signInWithPassword({ email, password });
  if (data.session === null) throw new Error('There is no session.');
  return { client, session: data.session };
}

test('metadata is merged at the top level, null removes a key, and the service’s own keys stay', async () => {
  const owner = await registerOwner(server, { data: { color: 'green', address: { street: 'a', city: 'b' } } });
  const { data, error } = await owner.client.auth.updateUser({
    data: { color: null, address: { street: 'c' }, size: 3, email_verified: true, sub: 'x', email: 'x@example.com' },
  });
  expect(error).toBeNull();
  expect(data.user?.user_metadata).toEqual({
    full_name: 'Olive Owner',
    phone: owner.phone,
    address: { street: 'c' },
    size: 3,
    sub: owner.user.id,
    email: owner.email,
    email_verified: false,
    phone_verified: true,
  });
  expect((await owner.client.auth.getUser()).data.user?.user_metadata).toEqual(data.user?.user_metadata);
});

test('two changes of metadata at once are both kept', async () => {
  const owner = await registerOwner(server);
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      callAuth(server, 'PUT', '/user', { data: { [`key_${at}`]: at } }, bearer(owner)),
    ),
  );
  const { body } = await callAuth(server, 'GET', '/user', undefined, bearer(owner));
  expect(Object.keys(body.user_metadata).filter((key) => key.startsWith('key_'))).toHaveLength(10);
});

test('metadata is bounded over repeated changes', async () => {
  const owner = await registerOwner(server);
  const statuses = [];
  for (let at = 0; at < 10; at += 1) {
    const response = await callAuth(
      server,
      'PUT',
      '/user',
      { data: { [`key_${at}`]: 'x'.repeat(2_000) } },
      bearer(owner),
    );
    statuses.push(response.status);
  }
  expect(statuses.indexOf(400)).toBe(3);
});

test('a new password ends every other session and keeps this one', async () => {
  const owner = await registerOwner(server);
  const other = await signInAgain(owner);
  expect((await owner.client.auth.updateUser({ password: 'a new password' })).error).toBeNull();

  expect((await owner.client.auth.getUser()).data.user?.id).toBe(owner.user.id);
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
  expect((await callAuth(server, 'GET', '/user', undefined, bearer(other))).body.code).toBe('session_not_found');
  expect((await other.client.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' });
  const { auth } = server.client();
  expect((await auth.signInWithPassword(owner)).error).toMatchObject({ code: 'invalid_credentials' });
  expect((await auth.signInWithPassword({ ...owner, password: 'a new password' })).error).toBeNull();
});

test.each([
  [{ password: 'correct horse' }, 422, 'same_password', 'New password should be different from the old password.'],
  [{ password: '12345' }, 422, 'weak_password', 'Password should be at least 6 characters.'],
  [{ password: 'x'.repeat(73) }, 400, 'validation_failed', 'Password cannot be longer than 72 characters'],
  [{ app_metadata: { admin: true } }, 403, 'not_admin', 'Updating app_metadata requires admin privileges'],
  [{ email: 'no address' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
  [{ phone: '12' }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
  [
    { email: 'other@example.com', password: '12345' },
    422,
    'weak_password',
    'Password should be at least 6 characters.',
  ],
  [{ data: { phone: 'call me' } }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
  [{ data: [] }, 400, 'validation_failed', 'data must be an object'],
])('a change that is refused changes nothing: %j', async (change, status, code, message) => {
  const owner = await registerOwner(server);
  const other = await signInAgain(owner);
  const state = () => database.query('select *, $2::text as x from auth.users where id = $1', [owner.user.id, '']);
  const before = await state();
  expect(await callAuth(server, 'PUT', '/user', { data: {}, ...change }, bearer(owner))).toMatchObject({
    status,
    body: { code, message },
  });
  expect(await state()).toEqual(before);
  expect((await callAuth(server, 'GET', '/user', undefined, bearer(other))).status).toBe(200);
});

test('an account cannot give itself a role, a confirmation, another id, or an assurance level', async () => {
  const owner = await registerOwner(server);
  const fields = {
    id: '00000000-0000-4000-8000-000000000000',
    role: 'service_role',
    aud: 'admin',
    aal: 'aal2',
    email_confirmed_at: '2020-01-01T00:00:00Z',
    banned_until: null,
    is_super_admin: true,
    data: { wished: true },
  };
  const { status, body } = await callAuth(server, 'PUT', '/user', fields, bearer(owner));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: owner.user.id,
    role: 'authenticated',
    aud: 'authenticated',
    user_metadata: { wished: true },
  });
  expect(body).not.toHaveProperty('email_confirmed_at');
  expect(await database.query('select is_super_admin from auth.users where id = $1', [owner.user.id])).toEqual([
    { is_super_admin: null },
  ]);
});

test('an unchanged address in a request is not a change', async () => {
  const owner = await registerOwner(server);
  const change = { email: owner.email.toUpperCase(), phone: owner.phone, data: { seen: true } };
  expect(await callAuth(server, 'PUT', '/user', change, bearer(owner))).toMatchObject({
    status: 200,
    body: { email: owner.email, user_metadata: { seen: true } },
  });
});

test.each([
  ['local', { here: false, there: true }],
  ['others', { here: true, there: false }],
  ['global', { here: false, there: false }],
] as const)('signing out with scope %s', async (scope, lives) => {
  const here = await registerOwner(server);
  const there = await signInAgain(here);
  const stranger = await registerOwner(server);
  const response = await callAuth(server, 'POST', `/logout?scope=${scope}`, undefined, bearer(here));
  expect(response).toMatchObject({ status: 204, body: null });
  const alive = async (of: Pick<RegisteredOwner, 'session'>) => {
    const refreshed = await callAuth(server, 'POST', '/token?grant_type=refresh_token', of.session);
    const seen = await callAuth(server, 'GET', '/user', undefined, bearer(of));
    expect(refreshed.status === 200).toBe(seen.status === 200);
    return seen.status === 200;
  };
  expect({ here: await alive(here), there: await alive(there) }).toEqual(lives);
  expect(await alive(stranger)).toBe(true);
});

test('signing out without a scope ends all sessions; an unknown scope ends none', async () => {
  const here = await registerOwner(server);
  const there = await signInAgain(here);
  expect(await callAuth(server, 'POST', '/logout?scope=everywhere', undefined, bearer(here))).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Unsupported logout scope "everywhere"' },
  });
  expect((await callAuth(server, 'GET', '/user', undefined, bearer(there))).status).toBe(200);
  expect((await callAuth(server, 'POST', '/logout', undefined, bearer(here))).status).toBe(204);
  expect((await callAuth(server, 'GET', '/user', undefined, bearer(there))).status).toBe(403);
  expect(await callAuth(server, 'POST', '/logout', undefined, bearer(here))).toMatchObject({
    status: 403,
    body: { code: 'session_not_found' },
  });
});

test('a deleted account is gone for its token, and its address is free again', async () => {
  const owner = await registerOwner(server);
  await database.query('update auth.users set deleted_at = now() where id = $1', [owner.user.id]);
  expect(await callAuth(server, 'GET', '/user', undefined, bearer(owner))).toMatchObject({
    status: 403,
    body: { code: 'user_not_found', message: 'User from sub claim in JWT does not exist' },
  });
  expect((await server.client().auth.signInWithPassword(owner)).error).toMatchObject({ code: 'invalid_credentials' });
  clock.advance(60_000);
  expect((await registerOwner(server, { email: owner.email })).user.id).not.toBe(owner.user.id);
});

test('an access token expires after an hour', async () => {
  const owner = await registerOwner(server);
  clock.advance(3_600_000 + 6_000);
  expect(await callAuth(server, 'GET', '/user', undefined, bearer(owner))).toMatchObject({
    status: 403,
    body: {
      code: 'bad_jwt',
      message: 'invalid JWT: unable to parse or verify signature, token is expired',
    },
  });
});

test('responses about a user are not cacheable', async () => {
  const owner = await registerOwner(server);
  const response = await callAuth(server, 'GET', '/user', undefined, bearer(owner));
  expect(response.headers.get('cache-control')).toBe('no-store');
  const refused = await callAuth(server, 'POST', '/token?grant_type=password', { email: anEmail(), password: 'x' });
  expect(refused.headers.get('cache-control')).toBe('no-store');
});
