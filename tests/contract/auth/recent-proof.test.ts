import type { SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

/** An owner whose address is proved, with a session that proved it `hours` ago. */
async function ownerSince(hours: number) {
  const owner = await registerOwner(server, { phone: '' });
  await age(owner.user.id, hours);
  return owner;
}

async function age(userId: string, hours: number): Promise<void> {
  await database.query(
    `update auth.sessions set proved_at = now() - make_interval(hours => $2), created_at = now() - make_interval(hours => $2)
       where user_id = $1`,
    [userId, hours],
  );
}

async function enrol({ auth }: SupabaseClient) {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp' });
  if (error !== null) return { error, factorId: '', totp: null };
  return { error, factorId: data.id, totp: new TOTP({ secret: Secret.fromBase32(data.totp.secret) }) };
}

async function unlinkFirst({ auth }: SupabaseClient) {
  const { data } = await auth.getUserIdentities();
  const [identity] = data?.identities ?? [];
  if (identity === undefined) throw new Error('There is no identity.');
  return auth.unlinkIdentity(identity);
}

const CHANGES: readonly (readonly [
  string,
  (client: SupabaseClient) => PromiseLike<{ error: { code?: string | undefined } | null }>,
])[] = [
  ['another email address', ({ auth }) => auth.updateUser({ email: anEmail() })],
  ['another phone number', ({ auth }) => auth.updateUser({ phone: aPhone() })],
  ['another password', ({ auth }) => auth.updateUser({ password: 'another horse' })],
  ['a factor', enrol],
  ['a passkey', ({ auth }) => auth.passkey.startRegistration()],
  ['no passkey', ({ auth }) => auth.passkey.delete({ passkeyId: crypto.randomUUID() })],
  [
    'an identity to link',
    ({ auth }) => auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }),
  ],
  ['an identity to unlink', unlinkFirst],
  ['everything about the account', (client) => client.rpc('export_my_data')],
  ['the end of the account', (client) => client.rpc('delete_my_account')],
];

test.each(CHANGES)('a session whose last proof is a day old must give one: %s [K3]', async (_, change) => {
  const owner = await ownerSince(25);
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
  const { error } = await change(owner.client);
  expect(['reauthentication_needed', 'PT403']).toContain(error?.code);
  expect((await owner.client.auth.updateUser({ data: { full_name: 'Olive' } })).error, 'a name is free').toBeNull();

  expect((await owner.client.auth.updateUser({ current_password: owner.password })).error).toBeNull();
  const again = await change(owner.client);
  expect(['reauthentication_needed', 'PT403']).not.toContain(again.error?.code);
});

test('a requested code is a proof once; a wrong code or password is not', async () => {
  const { client, email } = await ownerSince(25);
  await server.delivery.takeEmailTo(email);
  expect((await client.auth.updateUser({ current_password: 'wrong' })).error?.code).toBe('current_password_invalid');
  expect((await client.auth.updateUser({ nonce: '000000' })).error?.code).toBe('reauthentication_not_valid');
  expect((await client.rpc('export_my_data')).error?.code).toBe('PT403');
  expect((await client.auth.reauthenticate()).error).toBeNull();
  const nonce = codeIn(await server.delivery.takeEmailTo(email));
  expect((await client.auth.updateUser({ nonce })).error).toBeNull();
  expect((await client.rpc('export_my_data')).error).toBeNull();
  expect((await client.auth.updateUser({ nonce })).error?.code).toBe('reauthentication_not_valid');
});

test('verifying a change of phone opens a session with the proof age of the requesting one [K3]', async () => {
  const owner = await ownerSince(23);
  const phone = aPhone();
  expect((await owner.client.auth.updateUser({ phone })).error).toBeNull();
  const token = codeIn(await server.delivery.takeSmsTo(phone));
  const { data } = await owner.client.auth.verifyOtp({ phone, token, type: 'phone_change' });
  expect(data.user?.phone).toBe(phone.slice(1));
  expect((await owner.client.auth.updateUser({ data: { seen: true } })).error).toBeNull();
  const old = await database.query(
    "select from auth.sessions where user_id = $1 and proved_at < now() - interval '22 hours'",
    [owner.user.id],
  );
  expect(old, 'the session before it and the new one').toHaveLength(2);
  expect((await owner.client.rpc('delete_my_account')).error?.code).toBe('PT403');
});

test('verifying a new factor is not a recent proof; verifying an existing one is [K3]', async () => {
  const owner = await ownerSince(23);
  const { factorId, totp } = await enrol(owner.client);
  const show = (timestamp: number) =>
    owner.client.auth.mfa.challengeAndVerify({ factorId, code: totp?.generate({ timestamp }) ?? '' });
  expect((await show(server.clock.now())).error).toBeNull();
  expect((await owner.client.rpc('delete_my_account')).error?.code).toBe('PT403');
  await age(owner.user.id, 25);
  expect((await owner.client.rpc('make_recovery_codes')).error?.code).toBe('PT403');
  expect((await owner.client.auth.mfa.unenroll({ factorId })).error?.code).toBe('reauthentication_needed');

  expect((await show(server.clock.now() + 30_000)).error).toBeNull();
  expect((await owner.client.rpc('make_recovery_codes')).error).toBeNull();
  expect((await owner.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
});
