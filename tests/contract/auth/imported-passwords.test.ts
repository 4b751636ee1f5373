import { hash } from '@node-rs/bcrypt';
import { expect, test } from 'vitest';
import { createPasswordHasher } from '#server/auth/accounts/passwords.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const hasher = createPasswordHasher();
/** The cost of bcrypt that each sign-in took the time of. */
const timed: unknown[] = [];
const server = await startTestServer(database, {
  auth: {
    passwords: {
      ...hasher,
      matches(password, stored, turn, importedCost) {
        timed.push(importedCost);
        return hasher.matches(password, stored, turn, importedCost);
      },
    },
  },
});
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;
const PASSWORD = 'ﬁve correct horses';

async function bring(passwordHash: string) {
  const email = anEmail();
  const { data, error } = await operator.createUser({ email, password_hash: passwordHash, email_confirm: true });
  if (error !== null) throw error;
  return { id: data.user.id, email };
}

const signIn = (email: string, password = PASSWORD) => server.client().auth.signInWithPassword({ email, password });
const storedOf = async (id: string) =>
  String((await database.query('select encrypted_password as hash from auth.users where id = $1', [id]))[0]?.hash);
const eventsOf = async (id: string) =>
  (await database.query('select event from auth.audit_log where user_id = $1', [id])).map(({ event }) => event);

test.each(['2a', '2b', '2y'])('a $%s$ hash signs in, and is one of ours afterwards', async (version) => {
  const { id, email } = await bring((await hash(PASSWORD, 6)).replace('2b', version));
  const wrong = await signIn(email, 'ﬁve correct houses');
  expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials' });
  expect(await storedOf(id)).toContain(`$${version}$06$`);

  expect((await signIn(email)).data.user?.id).toBe(id);
  expect(await storedOf(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await signIn(email)).data.user?.id).toBe(id);
  // It is the same password, and no news for its owner.
  expect(await eventsOf(id)).not.toContain('password_changed');
});

test('an operator replaces a password by an imported hash', async () => {
  const { user } = await registerOwner(server);
  const { error } = await operator.updateUserById(user.id, { password_hash: await hash(PASSWORD, 4) } as object);
  expect(error).toBeNull();
  expect((await signIn(user.email ?? '')).data.user?.id).toBe(user.id);
});

test('two sign-ins at once both begin a session [K93]', async () => {
  const { email } = await bring(await hash(PASSWORD, 4));
  const both = await Promise.all([signIn(email), signIn(email)]);
  expect(both.map(({ error }) => error)).toEqual([null, null]);
});

test('every sign-in takes the time of bcrypt while an account has an imported hash, and no longer [K93]', async () => {
  const lastTimed = async (email: string) => {
    await signIn(email, 'wrong horse');
    return timed.at(-1);
  };
  const owner = await registerOwner(server);
  expect(await lastTimed(anEmail())).toBeNull();
  const [slow, quick] = [await bring(await hash(PASSWORD, 8)), await bring(await hash(PASSWORD, 4))];
  for (const email of [slow.email, quick.email, owner.user.email ?? '', anEmail()]) {
    expect(await lastTimed(email)).toBe(8);
  }
  await signIn(slow.email);
  expect(await lastTimed(anEmail())).toBe(4);
  await signIn(quick.email);
  expect(await lastTimed(anEmail())).toBeNull();
});

test('a session of an account with an imported hash changes the password by it', async () => {
  const { email } = await bring(await hash(PASSWORD, 4));
  const link = await operator.generateLink({ type: 'magiclink', email });
  const client = server.client();
  await client.auth.verifyOtp({ type: 'magiclink', token_hash: link.data.properties?.hashed_token ?? '' });
  const same = await client.auth.updateUser({ password: PASSWORD });
  expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
  const wrong = await client.auth.updateUser({ password: 'new correct horse', current_password: 'wrong horse' });
  expect(wrong.error).toMatchObject({ code: 'current_password_invalid' });
  const changed = await client.auth.updateUser({ password: 'new correct horse', current_password: PASSWORD });
  expect(changed.error).toBeNull();
  expect((await signIn(email, 'new correct horse')).error).toBeNull();
});

test.each([
  ['of a cost that takes long', `$2b$13$${'.'.repeat(53)}`],
  ['of a cost that bcrypt has not', `$2b$03$${'.'.repeat(53)}`],
  ['of the faulty variant', `$2x$10$${'.'.repeat(53)}`],
  ['that is cut off', `$2b$10$${'.'.repeat(52)}`],
  ['that no password has', `$2b$10$${'a'.repeat(53)}`],
])('a bcrypt hash %s is refused [K93]', async (_name, passwordHash) => {
  const { error } = await operator.createUser({ email: anEmail(), password_hash: passwordHash });
  expect(error).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: 'password_hash must be an Argon2id hash in PHC form, or a bcrypt hash of a cost between 4 and 12',
  });
});
