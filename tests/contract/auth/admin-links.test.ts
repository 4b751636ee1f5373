import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { ownLinkIn, verifyLinkIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const elsewhere = 'https://app.example.org/welcome';
const server = await startTestServer(database, { clock, environment: { REDIRECT_ALLOWLIST: elsewhere } });
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

async function confirmed(email = anEmail()) {
  const { data, error } = await operator.createUser({ email, password: 'correct horse', email_confirm: true });
  if (error !== null) throw error;
  return { id: data.user.id, email };
}

async function generate(fields: Parameters<typeof operator.generateLink>[0]) {
  const { data, error } = await operator.generateLink(fields);
  if (error !== null || data.properties === null || data.user === null) throw error ?? new Error('No link came.');
  return { user: data.user, ...data.properties };
}

/** Follows a link of the protocol and returns whose session it opened. */
async function follow(link: string) {
  const response = await fetch(link, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  const fragment = new URLSearchParams(location.hash.slice(1));
  const { data } = await server.client().auth.getUser(fragment.get('access_token') ?? '');
  return { page: location.origin + location.pathname, user: data.user, fragment };
}

test('a link to sign up makes an account, which the link or the code confirms', async () => {
  for (const by of ['link', 'code', 'hash'] as const) {
    const email = anEmail();
    const made = await generate({
      type: 'signup',
      email,
      password: 'correct horse',
      options: { data: { full_name: 'Linked' } },
    });
    expect(made).toMatchObject({ verification_type: 'signup', redirect_to: `${server.url}/auth/callback` });
    expect(made.user).toMatchObject({ email, user_metadata: { full_name: 'Linked' } });
    expect(Object.keys(made.user.user_metadata)).toEqual(['full_name']);
    expect(made.email_otp).toMatch(/^\d{6}$/);
    expect(new URL(made.action_link).searchParams.get('token')).toBe(made.hashed_token);
    const client = server.client();
    const user =
      by === 'link'
        ? (await follow(made.action_link)).user
        : by === 'code'
          ? (await client.auth.verifyOtp({ email, token: made.email_otp, type: 'signup' })).data.user
          : (await client.auth.verifyOtp({ token_hash: made.hashed_token, type: 'signup' })).data.user;
    expect(user, by).toMatchObject({ id: made.user.id });
    expect(user?.email_confirmed_at, by).toBeTruthy();
    expect((await client.auth.signInWithPassword({ email, password: 'correct horse' })).error, by).toBeNull();
  }
});

test('a sign-in link is for an existing account, and a sign-up link for a new one', async () => {
  const known = await confirmed();
  const toKnown = await generate({ type: 'magiclink', email: known.email, options: { redirectTo: elsewhere } });
  expect(toKnown).toMatchObject({ verification_type: 'magiclink', redirect_to: elsewhere });
  const followed = await follow(toKnown.action_link);
  expect([followed.page, followed.user?.id]).toEqual([elsewhere, known.id]);
  expect((await follow(toKnown.action_link)).fragment.get('error_code'), 'once').toBe('otp_expired');

  const toNew = await generate({ type: 'magiclink', email: anEmail() });
  expect(toNew.verification_type).toBe('signup');
  expect((await follow(toNew.action_link)).user?.id).toBe(toNew.user.id);
});

test('metadata is for a new account; later a sign-up’s is merged, and that of other links is not read', async () => {
  const email = anEmail();
  const password = 'correct horse';
  const metadataOf = async (fields: Parameters<typeof operator.generateLink>[0]) =>
    (await generate(fields)).user.user_metadata;
  const first = { full_name: 'First', phone: '+41446681800', team: 'lake' };
  expect(await metadataOf({ type: 'signup', email, password, options: { data: first } })).toMatchObject(first);
  expect(await metadataOf({ type: 'signup', email, password })).toMatchObject(first);
  const change = { full_name: 'Second', team: null, floor: 2 };
  const merged = { full_name: 'Second', phone: '+41446681800', floor: 2 };
  const second = await metadataOf({ type: 'signup', email, password, options: { data: change } });
  expect(second).toMatchObject(merged);
  expect(second).not.toHaveProperty('team');
  const data = { full_name: 'Third', team: 'sea' };
  for (const type of ['invite', 'magiclink'] as const)
    expect(await metadataOf({ type, email, options: { data } }), type).toEqual(second);
  const invited = await operator.inviteUserByEmail(email, { data });
  expect(invited.data.user?.user_metadata).toEqual(second);
  const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(email));
  const accepted = await server.client().auth.verifyOtp({ token_hash: tokenHash, type: 'invite' });
  expect(accepted.data.user?.user_metadata).toMatchObject(merged);
  const profiles = await database.query('select full_name from public.profiles where id = $1', [
    accepted.data.user?.id,
  ]);
  expect(profiles).toEqual([{ full_name: 'Second' }]);

  for (const type of ['invite', 'magiclink'] as const)
    expect(await metadataOf({ type, email: anEmail(), options: { data } }), type).toMatchObject(data);
  const known = await confirmed();
  expect(await metadataOf({ type: 'magiclink', email: known.email, options: { data } })).not.toHaveProperty('team');
});

test('an account that waits for its proof gets a sign-in link, and keeps its password whatever is sent', async () => {
  const password = 'correct horse';
  for (const use of ['link', 'code', 'hash', 'invitation'] as const) {
    const email = anEmail();
    const made =
      use === 'invitation'
        ? (await operator.createUser({ email, password })).data
        : await generate({ type: 'signup', email, password });
    const magic = await generate({ type: 'magiclink', email });
    expect([magic.verification_type, new URL(magic.action_link).searchParams.get('type')]).toEqual(
      Array(2).fill('magiclink'),
    );
    expect(magic.user.id).toBe(made.user?.id);
    const invite = await generate({ type: 'invite', email });
    expect(invite.user.id).toBe(made.user?.id);
    await operator.inviteUserByEmail(email);
    const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(email));
    const { auth } = server.client();
    const user =
      use === 'link'
        ? (await follow(magic.action_link)).user
        : use === 'code'
          ? (await auth.verifyOtp({ email, token: magic.email_otp, type: 'magiclink' })).data.user
          : use === 'hash'
            ? (await auth.verifyOtp({ token_hash: magic.hashed_token, type: 'email' })).data.user
            : (await auth.verifyOtp({ token_hash: tokenHash, type: 'invite' })).data.user;
    expect(user, use).toMatchObject({ id: made.user?.id, user_metadata: { email_verified: true } });
    expect((await server.client().auth.signInWithPassword({ email, password })).error, use).toBeNull();
  }
});

test('a link to recover opens a session that sets a password; a foreign page gets none', async () => {
  const { id, email } = await confirmed();
  const link = await generate({ type: 'recovery', email, options: { redirectTo: 'https://evil.example/' } });
  expect(link.redirect_to).toBe(`${server.url}/auth/callback`);
  const client = server.client();
  const { data } = await client.auth.verifyOtp({ token_hash: link.hashed_token, type: 'recovery' });
  expect(data.user?.id).toBe(id);
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect((await server.client().auth.signInWithPassword({ email, password: 'another horse' })).error).toBeNull();
});

test('two links, one for each address, change the address in either order', async () => {
  for (const order of [
    ['email_change_current', 'email_change_new'],
    ['email_change_new', 'email_change_current'],
  ] as const) {
    const { id, email } = await confirmed();
    const newEmail = anEmail();
    const links = [];
    for (const type of order) links.push(await generate({ type, email, newEmail }));
    const client = server.client();
    for (const { hashed_token } of links) {
      expect((await client.auth.verifyOtp({ token_hash: hashed_token, type: 'email_change' })).error).toBeNull();
    }
    expect((await operator.getUserById(id)).data.user).toMatchObject({ email: newEmail });
  }
});

test('an invitation is mailed, may be mailed again, and its link opens the account', async () => {
  const email = anEmail();
  const invited = await operator.inviteUserByEmail(email, { data: { full_name: 'Invited' }, redirectTo: elsewhere });
  expect(invited.error).toBeNull();
  expect(invited.data.user).toMatchObject({ email, user_metadata: { full_name: 'Invited' } });
  expect(invited.data.user?.invited_at).toBeTruthy();
  const first = verifyLinkIn(await server.delivery.takeEmailTo(email));
  expect(first.origin).toBe(server.url);

  await operator.inviteUserByEmail(email, { data: { full_name: 'Invited' } });
  const { page, tokenHash, type } = ownLinkIn(await server.delivery.takeEmailTo(email));
  expect([page, type]).toEqual([`${server.url}/auth/callback`, 'invite']);
  expect((await follow(first.href)).fragment.get('error_code'), 'the newest counts').toBe('otp_expired');
  const accepted = await server.client().auth.verifyOtp({ token_hash: tokenHash, type: 'invite' });
  expect(accepted.data.user).toMatchObject({ id: invited.data.user?.id, user_metadata: { full_name: 'Invited' } });
  expect((await operator.inviteUserByEmail(email)).error).toMatchObject({ status: 422, code: 'email_exists' });
});

test('an invitation that could not be mailed says so', async () => {
  server.delivery.down = true;
  const { error } = await operator.inviteUserByEmail(anEmail());
  server.delivery.down = false;
  expect(error).toMatchObject({ status: 503 });
});

test('a link to use is made, and nothing is sent', async () => {
  const { email } = await confirmed();
  await generate({ type: 'magiclink', email });
  await generate({ type: 'recovery', email });
  expect(server.delivery.emails.filter(({ to }) => to === email)).toEqual([]);
});

test.each([
  ['signup', { password: 'correct horse' }, 422, 'email_exists'],
  ['invite', {}, 422, 'email_exists'],
])('no %s link for an account that is confirmed', async (type, more, status, code) => {
  const { email } = await confirmed();
  const { error } = await operator.generateLink({ type, email, ...more } as Parameters<
    typeof operator.generateLink
  >[0]);
  expect(error).toMatchObject({ status, code });
});

test('a link is refused without its required fields, for an address without an account, and for a taken new address', async () => {
  const email = anEmail();
  const known = await confirmed();
  const other = await confirmed();
  const refused: readonly (readonly [object, number, string])[] = [
    [{ type: 'signup', email }, 400, 'validation_failed'],
    [{ type: 'signup', email, password: 'short' }, 422, 'weak_password'],
    [{ type: 'recovery', email }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email, newEmail: anEmail() }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: known.email }, 400, 'validation_failed'],
    [{ type: 'email_change_new', email: known.email, newEmail: other.email }, 422, 'email_exists'],
    [{ type: 'sms', email }, 400, 'validation_failed'],
    [{ type: 'magiclink', email: 'nobody' }, 400, 'validation_failed'],
  ];
  for (const [fields, status, code] of refused) {
    const { error } = await operator.generateLink(fields as Parameters<typeof operator.generateLink>[0]);
    expect(error, JSON.stringify(fields)).toMatchObject({ status, code });
  }
  expect(await database.query('select from auth.users where email = $1', [email])).toEqual([]);
});

test('a magic link confirms an address without the password of a stranger’s registration', async () => {
  const email = anEmail();
  await server.client().auth.signUp({ email, password: 'a strangers horse' });
  const made = await generate({ type: 'magiclink', email });
  expect(made.verification_type).toBe('magiclink');
  const { data } = await server.client().auth.verifyOtp({ token_hash: made.hashed_token, type: 'magiclink' });
  expect(data.user).toMatchObject({ email });
  const { error } = await server.client().auth.signInWithPassword({ email, password: 'a strangers horse' });
  expect(error?.code).toBe('invalid_credentials');
});
