import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPasswordHasher } from '#server/auth/accounts/passwords.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const hashed: string[] = [];
const hasher = createPasswordHasher();
const server = await startTestServer(database, {
  clock: holdTime(),
  auth: {
    passwords: {
      ...hasher,
      hash(password, turn) {
        hashed.push(password);
        return hasher.hash(password, turn);
      },
    },
  },
});

const signUp = (password: string) => callAuth(server, 'POST', '/signup', { email: anEmail(), password });
const signIn = (email: string, password: string) =>
  callAuth(server, 'POST', '/token?grant_type=password', { email, password });

test('the most common passwords are refused at sign-up and at a change, in either case, and none is hashed [A11]', async () => {
  const lines = (
    await readFile(new URL('../../../server/auth/accounts/common-passwords.txt', import.meta.url), 'utf8')
  ).split('\n');
  const common = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(common.length).toBeGreaterThanOrEqual(3_000);
  for (const name of ['123456', 'password', 'qwerty', 'iloveyou', 'michael', 'trustno1'])
    expect(common).toContain(name);

  const owner = await registerOwner(server);
  const { data } = await owner.client.auth.getSession();
  const before = hashed.length;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...common), fc.boolean(), async (word, shouted) => {
      const password = shouted ? word.toUpperCase() : word;
      for (const response of [
        await signUp(password),
        await callAuth(server, 'PUT', '/user', { password }, { Authorization: `Bearer ${data.session?.access_token}` }),
      ]) {
        expect(response).toMatchObject({
          status: 422,
          body: {
            code: 'weak_password',
            message: 'Password is known to be weak and easy to guess, please choose a different one.',
            weak_password: { reasons: ['pwned'] },
          },
        });
      }
    }),
    { numRuns: 40 },
  );
  expect(hashed.length).toBe(before);
});

test('the client says why: an AuthWeakPasswordError with the reason', async () => {
  const { error } = await server.client().auth.signUp({ email: anEmail(), password: 'ＰａｓｓＷｏｒｄ' });
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['pwned'] });
});

test('six characters are enough and five are not, whatever the characters [A11]', async () => {
  for (const six of ['hkq7vz', '🦊🐢🦉🐝🐙🦋', 'éèàüöß', 'שָׁלוֹםאב']) {
    expect((await signUp(six)).status, six).toBe(200);
  }
  for (const five of ['hkq7v', '🦊🐢🦉🐝🐙', 'e\u0301e\u0300a\u0300u\u0308o\u0308']) {
    expect(await signUp(five), five).toMatchObject({
      status: 422,
      body: { message: 'Password should be at least 6 characters.', weak_password: { reasons: ['length'] } },
    });
  }
});

test('all 72 characters count, longer passwords are refused without hashing, and a larger body is not read [A11] [K90]', async () => {
  const long = `${'x'.repeat(71)}y`;
  const owner = await registerOwner(server, { password: long });
  expect((await signIn(owner.email, long)).status).toBe(200);
  for (const tail of ['z', 'yz', 'y '.repeat(600)]) {
    expect(await signIn(owner.email, `${'x'.repeat(71)}${tail}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    });
  }
  // Two, three, and four bytes each in UTF-8.
  for (const password of [
    'שלום עולם '.repeat(7).slice(0, 64),
    '秘密の言葉'.repeat(13).slice(0, 64),
    '🔑🐴'.repeat(36),
  ]) {
    const other = await registerOwner(server, { password });
    expect((await signIn(other.email, password)).status, password).toBe(200);
  }
  const before = hashed.length;
  for (const password of [`${long}z`, 'ש'.repeat(73), 'x'.repeat(1_025)]) {
    expect(await signUp(password)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: 'Password cannot be longer than 72 characters' },
    });
  }
  // The server gives up a connection with such a large body, so the request uses its own.
  const tooMuch = await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: server.secrets.publishableKey },
    body: JSON.stringify({ email: anEmail(), password: 'x'.repeat(1_100_000) }),
  });
  expect(tooMuch.status).toBe(413);
  expect(hashed.length).toBe(before);
});

test('a password matches however a keyboard composes its characters, and no other does', async () => {
  const composed = 'Zürich-Café-№7';
  const owner = await registerOwner(server, { password: composed });
  for (const same of [composed.normalize('NFD'), composed.normalize('NFKC'), composed.normalize('NFKD')]) {
    expect((await signIn(owner.email, same)).status, same).toBe(200);
  }
  for (const other of ['Zurich-Cafe-No7', composed.toLowerCase(), ` ${composed}`, 'Zürıch-Café-№7']) {
    expect((await signIn(owner.email, other)).status, other).toBe(400);
  }
});

test('an owner whose password has become a common one signs in, and is warned', async () => {
  const owner = await createOwner(database, { password: 'monkey' });
  expect((await signIn(owner.email, 'monkey')).body.weak_password).toEqual({
    message: 'Password is known to be weak and easy to guess, please choose a different one.',
    reasons: ['pwned'],
  });
  const strong = await createOwner(database, { password: 'correct horse' });
  expect((await signIn(strong.email, 'correct horse')).body).not.toHaveProperty('weak_password');
});
