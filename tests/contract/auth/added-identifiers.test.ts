import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { makeAccountOld } from '#tests/support/factories/make-account-old.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

/** The recent changes list what came to an account as its address or number, and take it from it again. */
const database = await createTestDatabase();
const server = await startTestServer(database);

const remove = (client: SupabaseClient, kind: string) =>
  client.rpc('remove_added_identifier', { kind_param: kind }).then(({ error }) => error?.code ?? null);
const changesOf = async (client: SupabaseClient) => {
  const { data } = await client.rpc('list_account_changes').throwOnError();
  // The form of the function's response.
  return data as {
    readonly changes: readonly { readonly kind: string }[];
    readonly additions: readonly { readonly kind: string; readonly name: string }[];
  };
};
const namesOf = async (client: SupabaseClient, kind: string) =>
  (await changesOf(client)).additions.filter((added) => added.kind === kind).map(({ name }) => name);

async function addEmail({ auth }: SupabaseClient, email: string): Promise<void> {
  expect((await auth.updateUser({ email })).error).toBeNull();
  const token = server.delivery.codeFor(email);
  expect((await auth.verifyOtp({ email, token, type: 'email_change' })).error).toBeNull();
}

async function addPhone({ auth }: SupabaseClient, phone: string): Promise<void> {
  expect((await auth.updateUser({ phone })).error).toBeNull();
  const token = server.delivery.codeFor(phone);
  expect((await auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toBeNull();
}

/** The owner's session after a recovery by the number. */
async function recoverByPhone(phone: string): Promise<SupabaseClient> {
  const client = server.client();
  await client.auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
  const token = server.delivery.codeFor(phone);
  expect((await client.auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
  return client;
}

test('an address that a thief added goes after a recovery by the number, and recovers nothing anymore [K3]', async () => {
  const owner = await registerOwner(server);
  await makeAccountOld(database, owner.user.id);
  const thief = server.client();
  await thief.auth.signInWithPassword({ phone: owner.phone, password: owner.password });
  const foreign = anEmail();
  await addEmail(thief, foreign);
  expect(await remove(thief, 'phone')).toBe('PT404');
  await thief.auth.resetPasswordForEmail(foreign);
  const token = server.delivery.codeFor(foreign);

  const client = await recoverByPhone(owner.phone);
  expect(await namesOf(client, 'email')).toEqual([foreign]);
  expect(await namesOf(client, 'phone')).toEqual([]);
  expect((await client.auth.updateUser({ password: 'battery staple 9' })).error).toBeNull();
  expect(await remove(client, 'email')).toBeNull();
  expect(await namesOf(client, 'email')).toEqual([]);
  expect((await changesOf(client)).changes.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['email_changed', 'email_removed']),
  );

  expect((await thief.auth.verifyOtp({ email: foreign, token, type: 'recovery' })).error).not.toBeNull();
  expect(
    (await server.client().auth.signInWithPassword({ email: foreign, password: 'battery staple 9' })).error,
  ).not.toBeNull();
  const { data } = await client.auth.getUser();
  expect(data.user).toMatchObject({ id: owner.user.id, phone: owner.phone.slice(1) });
  expect(JSON.stringify(data.user)).not.toContain(foreign);
  const { data: profile } = await client.from('profiles').select('email').single().throwOnError();
  expect(profile.email).toBeNull();
  expect(await remove(client, 'email')).toBe('PT404');
});

test('a number that a thief added goes, with the one that finders call, and the owner is notified [K3]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  await makeAccountOld(database, owner.user.id);
  const thief = server.client();
  await thief.auth.signInWithPassword({ email: owner.email, password: owner.password });
  const foreign = aPhone();
  await addPhone(thief, foreign);
  const { client } = owner;
  expect(await namesOf(client, 'phone')).toEqual([foreign]);
  await database.query("update auth.sessions set proved_at = now() - interval '25 hours' where user_id = $1", [
    owner.user.id,
  ]);
  expect(await remove(client, 'phone')).toBe('PT403');
  await client.auth.signInWithPassword({ email: owner.email, password: owner.password });
  expect(await remove(client, 'phone')).toBeNull();
  const { data: profile } = await client.from('profiles').select('phone').single().throwOnError();
  expect(profile.phone).toBeNull();
  await expect
    .poll(() => server.delivery.emails.map(({ to, subject }) => `${to} ${subject}`))
    .toContain(`${owner.email} Reunite: A phone number was removed from your account`);
});

test('an unproved number that finders call goes [K3]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const { client } = owner;
  const foreign = aPhone();
  await client.from('profiles').update({ phone: foreign }).eq('id', owner.user.id).throwOnError();
  expect(await namesOf(client, 'contact_number')).toEqual([foreign]);
  expect(await remove(client, 'contact_number')).toBeNull();
  expect(await namesOf(client, 'contact_number')).toEqual([]);
});

test('what an account had first, or has alone, stays [K3]', async () => {
  const owner = await registerOwner(server);
  await addEmail(owner.client, anEmail());
  expect(await remove(owner.client, 'phone')).toBe('PT404');
  const byEmail = await registerOwner(server, { phone: '' });
  for (const kind of ['email', 'phone', 'contact_number', 'else']) {
    expect(await remove(byEmail.client, kind)).toBe('PT404');
  }
});

test('an account with an address alone lists that the address was changed', async () => {
  const owner = await registerOwner(server, { phone: '' });
  await makeAccountOld(database, owner.user.id);
  await owner.client.auth.signInWithPassword({ email: owner.email, password: owner.password });
  const { email } = owner;
  const newEmail = anEmail();
  expect((await owner.client.auth.updateUser({ email: newEmail })).error).toBeNull();
  for (const recipient of [email, newEmail]) {
    const token = server.delivery.codeFor(recipient);
    await owner.client.auth.verifyOtp({ email: recipient, token, type: 'email_change' });
  }
  expect((await changesOf(owner.client)).changes.map(({ kind }) => kind)).toContain('email_changed');
});

test('the address of the registration is no addition, however late it is proved', async () => {
  const owner = await registerOwner(server);
  await database.query(
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1',
    [owner.user.id],
  );
  expect((await changesOf(owner.client)).additions).toEqual([]);
});
