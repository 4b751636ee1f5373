import { afterEach, expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { ANONYMOUS_SIGN_INS: 'true' } });
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

await database.query(`
  create schema shop;
  create table shop.members (id uuid primary key references auth.users on delete cascade, email text not null);
`);
afterEach(() => database.query('drop function if exists shop.handle_new_user cascade'));

function onNewUser(statement: string) {
  return database.query(`
    create function shop.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      ${statement}
      return new;
    end $$;
    create trigger on_auth_user_created after insert on auth.users
      for each row execute function shop.handle_new_user();
  `);
}

/** The lines of the log since the call, as they are written. */
async function logOf(call: () => Promise<unknown>): Promise<string> {
  const before = server.logged.length;
  await call();
  return server.logged.slice(before).join('\n');
}

test('a sign-up whose trigger fails is refused in the reference’s words, and the log names the trigger’s function [K97]', async () => {
  await onNewUser('insert into shop.members (id, email) values (new.id, new.email);');
  const email = anEmail();
  const log = await logOf(async () => {
    const { error } = await server.client().auth.signUp({ email, password: 'correct horse' });
    expect(error).toMatchObject({ status: 500, message: 'Database error saving new user' });
    // The client drops the code of a response that may succeed when it is sent again.
    expect(await callAuth(server, 'POST', '/signup', { email, password: 'correct horse' })).toMatchObject({
      status: 500,
      body: { code: 'unexpected_failure', message: 'Database error saving new user' },
    });
  });
  expect(log).toContain('"schema":"shop","table":"members","column":"email"');
  expect(log).toContain('"functions":["shop.handle_new_user() line 3"]');
  expect(log).not.toContain(email);
  expect(await database.query('select from auth.users where claimed_email = $1', [email])).toEqual([]);
});

test.each([
  ['a constraint', `insert into shop.members values (new.id, 'x'), (new.id, 'y');`],
  ['a table that is not there', 'insert into shop.nowhere values (new.id);'],
  ['an exception', `raise exception 'Members only';`],
])('so is every other way to an account, where the trigger fails by %s', async (_name, statement) => {
  await onNewUser(statement);
  const refused = { status: 500 };
  const email = anEmail();
  const log = await logOf(async () => {
    const byCode = await server.client().auth.signInWithOtp({ email });
    expect(byCode.error).toMatchObject({ ...refused, message: 'Database error saving new user' });
    const anonymous = await server.client().auth.signInAnonymously();
    expect(anonymous.error).toMatchObject({ ...refused, message: 'Database error saving new user' });
    const created = await operator.createUser({ email });
    expect(created.error).toMatchObject({ ...refused, message: 'Database error creating new user' });
    const invited = await operator.inviteUserByEmail(email);
    expect(invited.error).toMatchObject({ ...refused, message: 'Database error saving new user' });
  });
  expect(log.match(/shop\.handle_new_user\(\) line 3/g)?.length).toBeGreaterThanOrEqual(4);
});
