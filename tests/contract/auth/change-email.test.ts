import { expect, test } from 'vitest';
import { purgeExpired } from '#server/jobs/upkeep/purge-expired.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery, codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn, verifyLinkIn } from './support/link-in.ts';

const APP = 'https://app.example.org/changed';
const database = await createTestDatabase();
const clock = holdTime();
const byMail = () => catchDelivery({ hasSms: false });
const server = await startTestServer(database, {
  clock,
  delivery: byMail(),
  environment: { REDIRECT_ALLOWLIST: APP },
});
const { secrets } = server;
const single = await startTestServer(database, {
  clock,
  secrets,
  delivery: byMail(),
  environment: { DOUBLE_CONFIRM_EMAIL_CHANGE: 'false' },
});
const hidden = await startTestServer(database, {
  clock,
  secrets,
  delivery: byMail(),
  environment: { HIDE_ACCOUNT_EXISTENCE: 'true' },
});

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';
const REFUSED = { status: 403, code: 'otp_expired' };

/** An owner whose address is proved. */
async function settledOwner(on = server): Promise<RegisteredOwner> {
  const owner = await registerOwner(on, { phone: '' });
  await on.delivery.takeEmailTo(owner.email);
  clock.advance(60_000);
  return owner;
}

/** An owner who requested another address, with the messages to both. */
async function changing(on = server, redirectTo?: string) {
  const owner = await settledOwner(on);
  const newEmail = anEmail();
  const { data, error } = await owner.client.auth.updateUser(
    { email: ` ${newEmail.toUpperCase()}` },
    redirectTo === undefined ? {} : { emailRedirectTo: redirectTo },
  );
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email: owner.email, new_email: newEmail });
  expect(data.user?.email_change_sent_at).toBeDefined();
  return { owner, newEmail };
}

function emailOf({ user }: RegisteredOwner) {
  return database.query('select email, new_email from auth.users where id = $1', [user.id]);
}

test.each([
  ['the old address first', true],
  ['the new address first', false],
])('an address changes once both have agreed, %s', async (_, oldFirst) => {
  const { owner, newEmail } = await changing();
  const [current, fresh] = [
    await server.delivery.takeEmailTo(owner.email),
    await server.delivery.takeEmailTo(newEmail),
  ];
  expect(current.text).toContain(newEmail);
  expect(fresh.text).not.toContain(owner.email);
  const links = [ownLinkIn(current), ownLinkIn(fresh)];
  expect(links.map(({ page, type }) => [page, type])).toEqual(
    Array(2).fill([`${server.url}/auth/callback`, 'email_change']),
  );
  const [first, second] = oldFirst ? links : links.toReversed();
  const { auth } = owner.client;
  const cookie = { Cookie: server.cookiesOf(owner.client) };
  const body = { type: 'email_change', token_hash: first?.tokenHash };
  const half = await callAuth(server, 'POST', '/verify', body, cookie);
  expect(half).toMatchObject({ status: 200, body: { msg: HALF, code: '200' } });
  expect(await emailOf(owner)).toEqual([{ email: owner.email, new_email: newEmail }]);
  const again = await auth.verifyOtp({ type: 'email_change', token_hash: first?.tokenHash ?? '' });
  expect(again.error, 'one address cannot agree for the other').toMatchObject(REFUSED);

  const { data, error } = await auth.verifyOtp({ type: 'email_change', token_hash: second?.tokenHash ?? '' });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id: owner.user.id, email: newEmail, user_metadata: { email: newEmail } });
  expect(data.user).not.toHaveProperty('new_email');
  expect(data.user?.identities).toMatchObject([{ email: newEmail, identity_data: { email_verified: true } }]);
  expect(await database.query('select email from public.profiles where id = $1', [owner.user.id])).toEqual([
    { email: newEmail },
  ]);
  const signIn = server.client().auth;
  expect((await signIn.signInWithPassword({ email: owner.email, password: owner.password })).error).not.toBeNull();
  expect((await signIn.signInWithPassword({ email: newEmail, password: owner.password })).error).toBeNull();
});

test('the official client gets no session for the first confirmation, and codes work like links', async () => {
  const { owner, newEmail } = await changing();
  const { auth } = server.client();
  const token = codeIn(await server.delivery.takeEmailTo(newEmail));
  const half = await auth.verifyOtp({ email: newEmail, token, type: 'email_change' });
  expect(half).toMatchObject({ data: { user: null, session: null }, error: null });
  const other = codeIn(await server.delivery.takeEmailTo(owner.email));
  const wrongPlace = await auth.verifyOtp({ email: newEmail, token: other, type: 'email_change' });
  expect(wrongPlace.error, 'the code of one address typed for the other').toMatchObject(REFUSED);
  const { data } = await auth.verifyOtp({ email: owner.email, token: other, type: 'email_change' });
  expect(data.user?.email).toBe(newEmail);
});

test('links to another site report the first confirmation, and the second one carries the session', async () => {
  const { owner, newEmail } = await changing(server, APP);
  const follow = async (to: string) => {
    const link = verifyLinkIn(await server.delivery.takeEmailTo(to));
    const headers = { Cookie: server.cookiesOf(owner.client) };
    const response = await server.request(link.pathname + link.search, { headers });
    return new URLSearchParams(new URL(response.headers.get('location') ?? '').hash.slice(1));
  };
  expect(Object.fromEntries(await follow(owner.email))).toEqual({ message: HALF, sb: '' });
  expect((await follow(newEmail)).get('type')).toBe('email_change');
  expect(await emailOf(owner)).toEqual([{ email: newEmail, new_email: null }]);
});

test('a link that adds an address counts in the browser that began the change, and is not spent elsewhere', async () => {
  const { owner, newEmail } = await changing(single);
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  const body = { type: 'email_change', token_hash: tokenHash };
  for (const Cookie of ['', `reunite_device=${'A'.repeat(43)}`]) {
    expect(await callAuth(single, 'POST', '/verify', body, { Cookie })).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_needed' },
    });
  }
  expect(await emailOf(owner)).toEqual([{ email: owner.email, new_email: newEmail }]);
  const { data } = await owner.client.auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  expect(data.user?.email).toBe(newEmail);
});

test('elsewhere it counts in a session of the account, and in none of another account [K48]', async () => {
  const { owner, newEmail } = await changing(single);
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  const body = { type: 'email_change', token_hash: tokenHash };
  const as = async ({ email, password }: RegisteredOwner) => {
    const { data } = await single.client().auth.signInWithPassword({ email, password });
    return { Authorization: `Bearer ${data.session?.access_token}` };
  };
  const refused = { status: 403, body: { code: 'reauthentication_needed' } };
  expect(await callAuth(single, 'POST', '/verify', body, await as(await settledOwner(single)))).toMatchObject(refused);
  const ended = await as(owner);
  await database.query('delete from auth.sessions where user_id = $1', [owner.user.id]);
  expect(await callAuth(single, 'POST', '/verify', body, ended)).toMatchObject(refused);
  const { status, body: session } = await callAuth(single, 'POST', '/verify', body, await as(owner));
  expect({ status, email: session.user?.email }).toEqual({ status: 200, email: newEmail });
});

/** Sends a link's token as the browser does that follows it, by GET. */
async function follow(tokenHash: string, type: string, Cookie: string): Promise<Response> {
  const redirectTo = encodeURIComponent(`${single.url}/`);
  const path = `/auth/v1/verify?token=${tokenHash}&type=${type}&redirect_to=${redirectTo}`;
  return single.request(path, { headers: { Cookie } });
}

test('a stranger’s sign-in link that a page leads a browser to makes that browser no browser of their account [K48]', async () => {
  const stranger = await settledOwner(single);
  const reader = await settledOwner(single);
  const Cookie = single.cookiesOf(reader.client);
  const { auth } = single.client();
  const aSignInLink = async () => {
    expect((await auth.signInWithOtp({ email: stranger.email })).error).toBeNull();
    clock.advance(60_000);
    const mails = single.delivery.emails.filter(({ to, text }) => to === stranger.email && text.includes('token_hash'));
    return ownLinkIn(mails.at(-1) ?? { text: '' });
  };
  const signIn = await aSignInLink();
  const followed = await follow(signIn.tokenHash, 'magiclink', Cookie);
  expect(followed.status).toBe(303);
  expect(followed.headers.get('location')).toContain('access_token');
  const devices = () =>
    database.query('select device_hash from auth.known_devices where user_id = $1', [stranger.user.id]);
  expect(await devices(), 'the stranger’s own browser alone').toHaveLength(1);

  const newEmail = anEmail();
  clock.advance(60_000);
  expect((await stranger.client.auth.updateUser({ email: newEmail })).error).toBeNull();
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  // Also where the reader pressed the button of such a link on our own page, or has the message sent again.
  const other = await aSignInLink();
  const pressed = await callAuth(
    single,
    'POST',
    '/verify',
    { type: 'magiclink', token_hash: other.tokenHash },
    { Cookie },
  );
  expect(pressed.status).toBe(200);
  await callAuth(single, 'POST', '/resend', { type: 'email_change', email: newEmail }, { Cookie });
  const again = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  for (const hash of [tokenHash, again.tokenHash]) {
    const body = { type: 'email_change', token_hash: hash };
    expect(await callAuth(single, 'POST', '/verify', body, { Cookie })).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_needed' },
    });
    expect((await follow(hash, 'email_change', Cookie)).headers.get('location')).toContain('reauthentication_needed');
  }
  expect(await emailOf(stranger)).toEqual([{ email: stranger.email, new_email: newEmail }]);
});

test('a sign-in link that is followed in the browser that requested it makes the browser known [K48]', async () => {
  const owner = await settledOwner(single);
  const asked = await callAuth(single, 'POST', '/otp', { email: owner.email, create_user: false });
  const Cookie = asked.headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(owner.email));
  expect((await follow(tokenHash, 'magiclink', Cookie)).status).toBe(303);
  const devices = await database.query('select from auth.known_devices where user_id = $1', [owner.user.id]);
  expect(devices).toHaveLength(2);
});

test('a change whose codes were removed still needs a session of the account [K2]', async () => {
  const { owner: stranger, newEmail } = await changing(single);
  await single.delivery.takeEmailTo(newEmail);
  await database.query('delete from auth.one_time_tokens where user_id = $1', [stranger.user.id]);
  clock.advance(60_000);
  expect((await single.client().auth.resend({ type: 'email_change', email: newEmail })).error).toBeNull();
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  const body = { type: 'email_change', token_hash: tokenHash };
  expect(await callAuth(single, 'POST', '/verify', body)).toMatchObject({
    status: 403,
    body: { code: 'reauthentication_needed' },
  });
  expect(await emailOf(stranger)).toEqual([{ email: stranger.email, new_email: newEmail }]);
});

test('a change ends when its last code is removed: nothing is sent again [K2]', async () => {
  const { owner, newEmail } = await changing(single);
  await single.delivery.takeEmailTo(newEmail);
  await database.query("update auth.users set new_phone = '15005550006' where id = $1", [owner.user.id]);
  const { owner: other, newEmail: pending } = await changing(single);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await database.query(
    `update auth.one_time_tokens set expires_at = now() - interval '2 days', link_expires_at = now() - interval '2 days'
       where user_id = $1`,
    [owner.user.id],
  );
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const changes = await database.query(
    `select id, new_email, new_phone, email_change_awaits, email_change_sent_at is null as is_forgotten
       from auth.users where id = any($1) order by id = $2 desc`,
    [[owner.user.id, other.user.id], owner.user.id],
  );
  expect(changes).toEqual([
    { id: owner.user.id, new_email: null, new_phone: null, email_change_awaits: [], is_forgotten: true },
    {
      id: other.user.id,
      new_email: pending,
      new_phone: null,
      email_change_awaits: ['email_change_new'],
      is_forgotten: false,
    },
  ]);
  const sent = withCodes(single.delivery.emails).length;
  clock.advance(60_000);
  expect((await single.client().auth.resend({ type: 'email_change', email: newEmail })).error).toBeNull();
  expect(withCodes(single.delivery.emails)).toHaveLength(sent);
});

test('a server that confirms only the new address sends nothing to the old one', async () => {
  const { owner, newEmail } = await changing(single);
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(newEmail));
  const { data } = await owner.client.auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  expect(data.user?.email).toBe(newEmail);
  const asked = single.delivery.emails.filter(({ to, text }) => to === owner.email && text.includes('email_change'));
  expect(asked).toEqual([]);
});

test('a newer request replaces the older one, also when one address has confirmed already', async () => {
  const { owner, newEmail } = await changing();
  const old = ownLinkIn(await server.delivery.takeEmailTo(owner.email));
  const first = ownLinkIn(await server.delivery.takeEmailTo(newEmail));
  const { auth } = owner.client;
  await auth.verifyOtp({ type: 'email_change', token_hash: old.tokenHash });
  clock.advance(60_000);
  const newest = anEmail();
  await owner.client.auth.updateUser({ email: newest });
  expect((await auth.verifyOtp({ type: 'email_change', token_hash: first.tokenHash })).error).toMatchObject(REFUSED);
  const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(newest));
  const half = await auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  expect(half.data.session, 'the old address has not agreed to this one').toBeNull();
  expect(await emailOf(owner)).toEqual([{ email: owner.email, new_email: newest }]);
});

test.each([
  ['reveals accounts at sign-up', server],
  ['hides them', hidden],
])(
  'a new address that another account has gets the same response as a free one, on a server that %s [K7]',
  async (_, on) => {
    const other = await settledOwner(on);
    const responses: { status: number; names: string[]; text: string }[] = [];
    for (const email of [other.email, anEmail()]) {
      const owner = await settledOwner(on);
      const bearer = { Authorization: `Bearer ${owner.session.access_token}` };
      const { status, headers, body } = await callAuth(on, 'PUT', '/user', { email }, bearer);
      expect(body.new_email).toBe(email);
      const own = await on.delivery.takeEmailTo(owner.email);
      expect(own.text, 'the own address is asked either way').toContain(email);
      const text = JSON.stringify(body).replaceAll(owner.email, 'own').replaceAll(email, 'new');
      responses.push({ status, names: [...headers.keys()].sort(), text: text.replaceAll(owner.user.id, 'id') });
      clock.advance(60_000);
      expect((await owner.client.auth.resend({ type: 'email_change', email })).error).toBeNull();
      expect(ownLinkIn(await on.delivery.takeEmailTo(owner.email)).type).toBe('email_change');
    }
    const withoutTimes = ({ text, ...rest }: (typeof responses)[number]) => ({
      ...rest,
      text: text.replaceAll(/"[0-9T:.-]+(Z|\+00:00)"/g, 'time').replaceAll(/"[0-9a-f-]{36}"/g, 'id'),
    });
    expect(responses.map(withoutTimes)[0]).toEqual(responses.map(withoutTimes)[1]);
    const reported = on.delivery.emails.filter(
      ({ to, text }) => to === other.email && text.includes('another account'),
    );
    expect(reported.map(({ subject }) => subject)).toEqual(Array(2).fill('Your email already has a Reunite account'));
    expect(reported.map(({ text }) => text).join()).not.toMatch(/\d{6}|token_hash/);
  },
);

test('a mail server that is down gets the same response for an address that another account has [K7]', async () => {
  const [owner, other] = [await settledOwner(), await settledOwner()];
  server.delivery.down = true;
  for (const email of [other.email, anEmail()]) {
    for (const time of ['first', 'second']) {
      expect((await owner.client.auth.updateUser({ email })).error, `${email}, ${time}`).toMatchObject({ status: 503 });
    }
  }
  server.delivery.down = false;
});

test('an unproved address goes to the account that proves it', async () => {
  const squatted = anEmail();
  await callAuth(single, 'POST', '/signup', { email: squatted, password: 'of a stranger' });
  await single.delivery.takeEmailTo(squatted);
  const mine = await settledOwner(single);
  await mine.client.auth.updateUser({ email: squatted });
  const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(squatted));
  const { data } = await mine.client.auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  expect(data.user).toMatchObject({ id: mine.user.id, email: squatted });
  expect(await database.query('select from auth.users where email = $1', [squatted])).toHaveLength(1);
});

test('when two accounts prove one address at once, one gets it and both stay consistent', async () => {
  const wanted = anEmail();
  const owners = [await settledOwner(single), await settledOwner(single)];
  const links = [];
  for (const owner of owners) {
    await owner.client.auth.updateUser({ email: wanted });
    const { tokenHash } = ownLinkIn(await single.delivery.takeEmailTo(wanted));
    links.push({ tokenHash, Cookie: single.cookiesOf(owner.client) });
  }
  const responses = await Promise.all(
    links.map(({ tokenHash, Cookie }) =>
      callAuth(single, 'POST', '/verify', { type: 'email_change', token_hash: tokenHash }, { Cookie }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await database.query('select from auth.users where email = $1', [wanted])).toHaveLength(1);
});

test('a repeated request sends new codes to the addresses that have not confirmed, and only to them', async () => {
  const { owner, newEmail } = await changing();
  const old = ownLinkIn(await server.delivery.takeEmailTo(owner.email));
  const first = ownLinkIn(await server.delivery.takeEmailTo(newEmail));
  const { auth } = owner.client;
  await auth.verifyOtp({ type: 'email_change', token_hash: old.tokenHash });
  clock.advance(60_000);
  const before = withCodes(server.delivery.emails).length;
  expect((await auth.resend({ type: 'email_change', email: newEmail })).error).toBeNull();
  expect(
    withCodes(server.delivery.emails)
      .slice(before)
      .map(({ to }) => to),
  ).toEqual([newEmail]);
  const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(newEmail));
  // Anyone may have them sent again, so the first one stays valid; one use ends both.
  expect((await auth.verifyOtp({ type: 'email_change', token_hash: first.tokenHash })).data.user?.email).toBe(newEmail);
  expect((await auth.verifyOtp({ type: 'email_change', token_hash: tokenHash })).error).toMatchObject(REFUSED);
  expect((await auth.resend({ type: 'email_change', email: anEmail() })).error, 'nobody changes to it').toBeNull();
});

test('an email that cannot be sent is reported, and may be requested again at once', async () => {
  const owner = await settledOwner();
  const newEmail = anEmail();
  server.delivery.down = true;
  expect((await owner.client.auth.updateUser({ email: newEmail })).error).toMatchObject({ status: 503 });
  server.delivery.down = false;
  expect((await owner.client.auth.updateUser({ email: newEmail })).error).toBeNull();
});
