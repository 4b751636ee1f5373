import type { SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { makeAccountOld } from '#tests/support/factories/make-account-old.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

/** Who has proved an address. */
async function ownerByEmail() {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  return owner;
}

/** A thief who knows the password signs in, which the owner is notified of. */
async function stealSession({ email, password }: RegisteredOwner): Promise<SupabaseClient> {
  const client = server.client();
  await client.auth.signInWithPassword({ email, password }).then(({ error }) => expect(error).toBeNull());
  await server.delivery.takeEmailTo(email);
  return client;
}

function notMeIn({ text }: { readonly text: string }): string {
  const path = /\/not-me\/[\w%-]+/.exec(text)?.[0];
  if (path === undefined) throw new Error(`There is no link in: ${text}`);
  return path;
}

const invite = (client: SupabaseClient, email: string) =>
  client.rpc('invite_second_contact', { email_param: email, phone_param: null, for_all_param: true }).throwOnError();
const stateOf = async ({ user }: RegisteredOwner) => {
  const [state] = await database.query<Record<string, unknown>>(
    `select (select count(*)::int from auth.sessions where user_id = $1) as sessions,
       (select encrypted_password is not null from auth.users where id = $1) as has_password,
       (select array_agg(coalesce(email, phone) order by created_at) from public.second_contacts where owner_id = $1) as contacts,
       (select count(*)::int from public.item_offers where giver_id = $1) as offers,
       (select count(*)::int from public.notice_addresses where user_id = $1) as addresses,
       (select reminder from public.notice_settings where user_id = $1) as reminder`,
    [user.id],
  );
  return state;
};

test('each lasting change is mailed at once, with one link [K3]', async () => {
  const owner = await ownerByEmail();
  const item = await createItem(database, owner.user);
  const contact = anEmail();
  await invite(owner.client, contact);
  const invited = await server.delivery.takeEmailTo(owner.email);
  expect(invited.subject).toBe('Reunite: You invited a second contact');
  expect(invited.text).toContain(contact);
  expect(invited.text.match(/https?:/g)).toHaveLength(1);
  await owner.client.rpc('offer_item', { item_id_param: item.id, email_param: 'buyer@example.com' }).throwOnError();
  expect((await server.delivery.takeEmailTo(owner.email)).text).toContain('buyer@example.com');
  await owner.client.from('notice_settings').upsert({ user_id: owner.user.id, email: false }).throwOnError();
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Reunite: You get fewer notifications');
});

test('opening the link changes nothing; a press ends what came since, and the owner’s own things stay [K3]', async () => {
  const owner = await ownerByEmail();
  const item = await createItem(database, owner.user);
  const [own, foreign] = [anEmail(), anEmail()];
  await invite(owner.client, own);
  await database.query('update public.second_contacts set agreed_at = now() where owner_id = $1', [owner.user.id]);
  await server.delivery.takeEmailTo(owner.email);
  const thief = await stealSession(owner);
  await thief.rpc('offer_item', { item_id_param: item.id, email_param: anEmail() }).throwOnError();
  await server.delivery.takeEmailTo(owner.email);
  await thief
    .rpc('add_notice_address', { kind_param: 'webhook', name_param: 'Copy', url_param: 'https://thief.example.com/x' })
    .throwOnError();
  await server.delivery.takeEmailTo(owner.email);
  await thief.from('notice_settings').upsert({ user_id: owner.user.id, reminder: false }).throwOnError();
  await server.delivery.takeEmailTo(owner.email);
  await invite(thief, foreign);
  const path = notMeIn(await server.delivery.takeEmailTo(owner.email));

  const before = await stateOf(owner);
  expect(before).toMatchObject({ sessions: 2, contacts: [own, foreign], offers: 1, addresses: 1, reminder: false });
  const page = await server.request(path);
  expect(page.status).toBe(200);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await page.text()).toContain('<form method="post"');
  expect((await postForm(server, path, {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
  expect((await server.request(`${path}x`)).status).toBe(404);
  expect(await stateOf(owner)).toEqual(before);

  const done = await postForm(server, path, {});
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('href="/auth?mode=reset"');
  const after = { sessions: 0, has_password: false, contacts: [own], offers: 0, addresses: 0, reminder: true };
  expect(await stateOf(owner)).toEqual(after);
  const { email, password } = owner;
  expect((await server.client().auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials');
});

test('pressed again after a new password, it leaves the password and the session [K3]', async () => {
  const owner = await ownerByEmail();
  await invite(await stealSession(owner), anEmail());
  const path = notMeIn(await server.delivery.takeEmailTo(owner.email));
  await postForm(server, path, {});
  const client = server.client();
  await client.auth.resetPasswordForEmail(owner.email);
  const token = codeIn(await server.delivery.takeEmailTo(owner.email));
  await client.auth.verifyOtp({ email: owner.email, token, type: 'recovery' });
  await client.auth.updateUser({ password: 'battery staple' });
  expect((await postForm(server, path, {})).status).toBe(200);
  expect(await stateOf(owner)).toMatchObject({ sessions: 1, has_password: true, contacts: null });
});

test('an owner who has proved only a number gets the same by SMS, of what matters [K3]', async () => {
  const owner = await registerOwner(server);
  await server.delivery.takeSmsTo(owner.phone);
  const item = await createItem(database, owner.user);
  await owner.client.rpc('offer_item', { item_id_param: item.id, email_param: anEmail() }).throwOnError();
  const offered = await server.delivery.takeSmsTo(owner.phone);
  expect(offered.text).toMatch(/^Reunite: You offered an item to someone\. Wasn't you\? https?:\S+\/not-me\/\S+$/);
  await owner.client.auth.updateUser({ password: 'battery staple' });
  expect((await server.delivery.takeSmsTo(owner.phone)).text).toContain('Your password was changed');
  await server.client().auth.signInWithPassword({ phone: owner.phone, password: 'battery staple' });
  expect((await server.delivery.takeSmsTo(owner.phone)).text).toContain('New sign-in');
  await postForm(server, notMeIn(offered), {});
  expect(await stateOf(owner)).toMatchObject({ sessions: 0, has_password: false });
  await server.client().auth.signInWithOtp({ phone: owner.phone, options: { shouldCreateUser: false } });
  expect(codeIn(await server.delivery.takeSmsTo(owner.phone))).toMatch(/^\d{6}$/);
});

test('a number that a thief changed comes back by the link that went to it [K3]', async () => {
  const owner = await registerOwner(server);
  await server.delivery.takeSmsTo(owner.phone);
  const thief = server.client();
  await thief.auth.signInWithPassword({ phone: owner.phone, password: owner.password });
  await server.delivery.takeSmsTo(owner.phone);
  const phone = '+12025550147';
  expect((await thief.auth.updateUser({ phone })).error).toBeNull();
  const token = codeIn(await server.delivery.takeSmsTo(phone));
  expect((await thief.auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toBeNull();
  const path = notMeIn(await server.delivery.takeSmsTo(owner.phone));
  await postForm(server, path, {});
  expect(await database.query('select phone from auth.users where id = $1', [owner.user.id])).toEqual([
    { phone: owner.phone.slice(1) },
  ]);
});

/** Proves another number with the session. */
async function changePhone({ auth }: SupabaseClient, phone: string): Promise<void> {
  expect((await auth.updateUser({ phone })).error).toBeNull();
  const token = server.delivery.codeFor(phone);
  expect((await auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toBeNull();
}

const identifiersOf = async ({ user }: RegisteredOwner) => {
  const [account] = await database.query<{ email: string | null; phone: string | null }>(
    'select email, phone from auth.users where id = $1',
    [user.id],
  );
  return account;
};
test('of a number that a thief changed twice only the owner’s comes back, in whatever order the links are pressed', async () => {
  const owner = await registerOwner(server);
  await server.delivery.takeSmsTo(owner.phone);
  await makeAccountOld(database, owner.user.id);
  const thief = server.client();
  await thief.auth.signInWithPassword({ phone: owner.phone, password: owner.password });
  expect((await server.delivery.takeSmsTo(owner.phone)).text).toContain('New sign-in');
  const [first, second] = [aPhone(), aPhone()];
  await changePhone(thief, first);
  const ownersLink = notMeIn(await server.delivery.takeSmsTo(owner.phone));
  await database.query('delete from internal.rate_limits');
  await changePhone(thief, second);
  await expect
    .poll(() => server.delivery.texts.filter(({ to, text }) => to === first && text.includes('/not-me/')))
    .toHaveLength(1);
  const thiefsLink = notMeIn(server.delivery.texts.findLast(({ to }) => to === first) ?? { text: '' });
  await postForm(server, thiefsLink, {});
  expect(await identifiersOf(owner)).toMatchObject({ phone: second.slice(1) });
  await postForm(server, ownersLink, {});
  expect(await identifiersOf(owner)).toMatchObject({ phone: owner.phone.slice(1) });
  await postForm(server, thiefsLink, {});
  expect(await identifiersOf(owner)).toMatchObject({ phone: owner.phone.slice(1) });
});

test('an account’s first address is announced to its number, like what follows, and one press removes it', async () => {
  const owner = await registerOwner(server);
  await server.delivery.takeSmsTo(owner.phone);
  await makeAccountOld(database, owner.user.id);
  const thief = server.client();
  await thief.auth.signInWithPassword({ phone: owner.phone, password: owner.password });
  const signedIn = await server.delivery.takeSmsTo(owner.phone);
  const email = anEmail();
  expect((await thief.auth.updateUser({ email })).error).toBeNull();
  const token = server.delivery.codeFor(email);
  expect((await thief.auth.verifyOtp({ email, token, type: 'email_change' })).error).toBeNull();
  expect((await server.delivery.takeSmsTo(owner.phone)).text).toContain('email');
  const item = await createItem(database, owner.user);
  await thief.rpc('offer_item', { item_id_param: item.id, email_param: anEmail() }).throwOnError();
  expect((await server.delivery.takeSmsTo(owner.phone)).text).toContain('You offered an item');
  await postForm(server, notMeIn(signedIn), {});
  expect(await identifiersOf(owner)).toEqual({ email: null, phone: owner.phone.slice(1) });
});

test('an account’s first number is announced to its address, and one press removes it', async () => {
  const owner = await ownerByEmail();
  await makeAccountOld(database, owner.user.id);
  const thief = await stealSession(owner);
  await changePhone(thief, aPhone());
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('Your Reunite phone number was changed');
  await postForm(server, notMeIn(mail), {});
  expect(await identifiersOf(owner)).toEqual({ email: owner.email, phone: null });
});

test('pressed again, it leaves what the owner added after the first press', async () => {
  const owner = await ownerByEmail();
  await invite(await stealSession(owner), anEmail());
  const path = notMeIn(await server.delivery.takeEmailTo(owner.email));
  await postForm(server, path, {});
  const own = anEmail();
  await database.query('insert into public.second_contacts (owner_id, email) values ($1, $2)', [owner.user.id, own]);
  await postForm(server, path, {});
  expect(await stateOf(owner)).toMatchObject({ contacts: [own] });
});

test.each([
  [2, 0],
  [4, 1],
])('the notice of a second factor, pressed after %i days, leaves %i of them', async (days, left) => {
  const owner = await ownerByEmail();
  const { data, error } = await owner.client.auth.mfa.enroll({ factorType: 'totp' });
  if (error !== null) throw error;
  const code = new TOTP({ secret: data.totp.secret }).generate();
  expect((await owner.client.auth.mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull();
  await server.delivery.takeEmailTo(owner.email);
  const since = `now() - interval '${days} days'`;
  await database.query(`update auth.audit_log set at = ${since} where user_id = $1`, [owner.user.id]);
  await database.query(`update auth.mfa_factors set created_at = ${since} where user_id = $1`, [owner.user.id]);
  await database.query(
    `select internal.undo_changes($1, null, (
       select at from auth.audit_log where user_id = $1 and event = 'factor_verified'
     ), null, null)`,
    [owner.user.id],
  );
  expect(await database.query('select id from auth.mfa_factors where user_id = $1', [owner.user.id])).toHaveLength(
    left,
  );
});

test.each(['a new password', 'a recovery'])(
  '%s ends open offers and invitations without a response [K3]',
  async (way) => {
    const owner = await ownerByEmail();
    const item = await createItem(database, owner.user);
    const [agreed, waiting] = [anEmail(), anEmail()];
    await invite(owner.client, agreed);
    await database.query('update public.second_contacts set agreed_at = now() where owner_id = $1', [owner.user.id]);
    await invite(owner.client, waiting);
    await owner.client.rpc('offer_item', { item_id_param: item.id, email_param: anEmail() }).throwOnError();
    expect(await stateOf(owner)).toMatchObject({ offers: 1, contacts: [agreed, waiting] });
    if (way === 'a new password') {
      expect((await owner.client.auth.updateUser({ password: 'battery staple' })).error).toBeNull();
    } else {
      const client = server.client();
      await client.auth.resetPasswordForEmail(owner.email);
      const token = server.delivery.codeFor(owner.email);
      expect((await client.auth.verifyOtp({ email: owner.email, token, type: 'recovery' })).error).toBeNull();
    }
    expect(await stateOf(owner)).toMatchObject({ offers: 0, contacts: [agreed] });
  },
);

test('sixty deleted items are one mail at once, and one for the rest', async () => {
  const owner = await ownerByEmail();
  for (let count = 0; count < 60; count += 1) {
    const item = await createItem(database, owner.user);
    await owner.client.from('items').delete().eq('id', item.id).throwOnError();
  }
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Reunite: An item was deleted');
  const waiting = await database.query<{ soon: boolean }>(
    `select run_at > now() + interval '9 minutes' as soon from graphile_worker.jobs
       where key like 'send_change_notice:item_deleted:%'
         and exists (select from auth.sessions where user_id = $1 and key like '%' || id)`,
    [owner.user.id],
  );
  expect(waiting).toEqual([{ soon: true }]);
});

test('signing out other devices is mailed', async () => {
  const owner = await ownerByEmail();
  await stealSession(owner);
  await owner.client.auth.signOut({ scope: 'others' });
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe(
    'Reunite: You were signed out on other devices',
  );
});
