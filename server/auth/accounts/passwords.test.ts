import { randomBytes } from 'node:crypto';
import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { createPasswordHasher, HASH_OF_NOBODY, saltOf } from './password-hasher.ts';

const passwords = createPasswordHasher();

test('a hash has the parameters that OWASP names and a salt of its own', async () => {
  const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await passwords.matches('correct horse', one)).toBe(true);
  expect(await passwords.matches('correct horsf', one)).toBe(false);
});

test('nobody has no password, not even an empty one, and costs as much as somebody', async () => {
  expect(await passwords.matches('', null)).toBe(false);
  expect(await passwords.matches('wrong', null)).toBe(false);
  expect(parseOptions(HASH_OF_NOBODY)).toEqual(parseOptions(await passwords.hash('correct horse')));
});

test('as many at once as it was told, a few that wait, and 503 with a time for the rest', async () => {
  const small = createPasswordHasher({ atOnce: 2, waiting: 3 });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => small.hash('correct horse')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const outcome of outcomes.slice(5)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, retryAfterSeconds: 2 } });
  }
  // Every place is free again.
  const again = await Promise.allSettled(Array.from({ length: 5 }, () => small.hash('correct horse')));
  expect(again.every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('on a machine of many cores, too, other work finds a thread while passwords are hashed', async () => {
  const wide = createPasswordHasher({ cores: 64 });
  let hashed = 0;
  const work = Array.from({ length: 16 }, async () => {
    await wide.hash('correct horse');
    hashed += 1;
  });
  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  expect(hashed).toBeLessThan(8);
  await Promise.all(work);
});

test('the event loop goes on turning while passwords are hashed', async () => {
  let hashing = true;
  const work = Promise.all(Array.from({ length: 8 }, () => passwords.hash('correct horse'))).finally(() => {
    hashing = false;
  });
  let turns = 0;
  while (hashing) {
    turns += 1;
    await new Promise((turn) => setImmediate(turn));
  }
  await work;
  // Hashed on the loop itself, each would be one turn.
  expect(turns).toBeGreaterThan(100);
});

test('of several hashes with one salt the one of the password is found, at the cost of one hashing', async () => {
  const salt = randomBytes(16);
  const hashes = await Promise.all(['one', 'two', 'three'].map((word) => passwords.hash(word, salt)));
  expect(new Set(hashes.map((phc) => saltOf(phc)?.toString('hex')))).toEqual(new Set([salt.toString('hex')]));
  expect(await passwords.findAmong('two', hashes)).toBe(hashes[1]);
  expect(await passwords.findAmong('four', hashes)).toBeUndefined();
  expect(await passwords.findAmong('two', [])).toBeUndefined();
  const brought = await passwords.hash('brought along');
  expect(await passwords.findAmong('brought along', [...hashes, brought])).toBe(brought);
});
