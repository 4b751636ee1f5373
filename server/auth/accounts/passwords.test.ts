import { randomBytes } from 'node:crypto';
import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import {
  createPasswordHasher,
  DECOY_HASH,
  saltOf,
  TURN_OF_SERVICE,
  turnOfAccount,
  turnOfAddress,
} from './passwords.ts';

const passwords = createPasswordHasher();

test('a hash has the parameters that OWASP names and a salt of its own', async () => {
  const [one, other] = await Promise.all([
    passwords.hash('correct horse', TURN_OF_SERVICE),
    passwords.hash('correct horse', TURN_OF_SERVICE),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await passwords.matches('correct horse', one, TURN_OF_SERVICE)).toBe(true);
  expect(await passwords.matches('correct horsf', one, TURN_OF_SERVICE)).toBe(false);
});

test('an account that does not exist matches no password, not even an empty one, and takes as long as one that does', async () => {
  expect(await passwords.matches('', null, TURN_OF_SERVICE)).toBe(false);
  expect(await passwords.matches('wrong', null, TURN_OF_SERVICE)).toBe(false);
  expect(parseOptions(DECOY_HASH)).toEqual(parseOptions(await passwords.hash('correct horse', TURN_OF_SERVICE)));
});

test('it hashes a limited number at once, queues a few, and refuses the rest with 503 and a time [H52]', async () => {
  const small = createPasswordHasher({ atOnce: 2, waiting: 3 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => small.hash('correct horse', TURN_OF_SERVICE)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const outcome of outcomes.slice(5)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, retryAfterSeconds: 2 } });
  }
  // Every place is free again.
  const again = await Promise.allSettled(Array.from({ length: 5 }, () => small.hash('correct horse', TURN_OF_SERVICE)));
  expect(again.every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('on a machine with many cores a thread stays free while passwords are hashed', async () => {
  const wide = createPasswordHasher({ cores: 64 });
  let hashed = 0;
  const work = Array.from({ length: 16 }, async () => {
    await wide.hash('correct horse', TURN_OF_SERVICE);
    hashed += 1;
  });
  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  expect(hashed).toBeLessThan(8);
  await Promise.all(work);
});

test('the event loop is not blocked while passwords are hashed [H52]', async () => {
  let hashing = true;
  const work = Promise.all(Array.from({ length: 8 }, () => passwords.hash('correct horse', TURN_OF_SERVICE))).finally(
    () => {
      hashing = false;
    },
  );
  let turns = 0;
  while (hashing) {
    turns += 1;
    await new Promise((turn) => setImmediate(turn));
  }
  await work;
  // Hashed on the loop itself, each would be one turn.
  expect(turns).toBeGreaterThan(100);
});

test('the matching one of several hashes with one salt is found by hashing once', async () => {
  const salt = randomBytes(16);
  const hashes = await Promise.all(['one', 'two', 'three'].map((word) => passwords.hash(word, TURN_OF_SERVICE, salt)));
  expect(new Set(hashes.map((phc) => saltOf(phc)?.toString('hex')))).toEqual(new Set([salt.toString('hex')]));
  expect(await passwords.findAmong('two', hashes, TURN_OF_SERVICE)).toBe(hashes[1]);
  expect(await passwords.findAmong('four', hashes, TURN_OF_SERVICE)).toBeUndefined();
  expect(await passwords.findAmong('two', [], TURN_OF_SERVICE)).toBeUndefined();
  const brought = await passwords.hash('brought along', TURN_OF_SERVICE);
  expect(await passwords.findAmong('brought along', [...hashes, brought], TURN_OF_SERVICE)).toBe(brought);
});

test('known accounts get every second turn, and new addresses take turns, however many addresses try passwords [K21]', async () => {
  const busy = createPasswordHasher({ atOnce: 1, waiting: 40 });
  const order: string[] = [];
  const ask = async (name: string, turn: Parameters<typeof busy.hash>[1]) => {
    await busy.matches('wrong', null, turn);
    order.push(name);
  };
  const crowd = Array.from({ length: 60 }, (_, count) =>
    ask('crowd', turnOfAddress(`${count % 5}`)).catch(() => undefined),
  );
  await Promise.all([
    ask('known', turnOfAccount('owner')),
    ask('also known', turnOfAccount('other owner')),
    ask('newcomer', turnOfAddress('of their own')),
    ...crowd,
  ]);
  expect(order.indexOf('known')).toBeLessThanOrEqual(2);
  expect(order.indexOf('also known')).toBeLessThanOrEqual(4);
  // One turn of each of the five, and the two known ones.
  expect(order.indexOf('newcomer')).toBeLessThanOrEqual(8);
});
