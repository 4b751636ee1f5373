import { hash } from '@node-rs/bcrypt';
import { expect, test } from 'vitest';
import { createPasswordHasher, TURN_OF_SERVICE } from './passwords.ts';

const COST = 10;
const passwords = createPasswordHasher({ cores: 1 });

/** The least processor time of several calls, in milliseconds. */
async function workOf(call: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

test('no account, a hash of ours, and imported hashes of any cost take the same work [K93]', async () => {
  const hashes = [
    null,
    await passwords.hash('right', TURN_OF_SERVICE),
    await hash('right', 4),
    await hash('right', COST),
  ];
  const works: number[] = [];
  for (const stored of hashes) {
    works.push(await workOf(() => passwords.matches('wrong', stored, TURN_OF_SERVICE, COST)));
  }
  const several = [await hash('right', 9), await passwords.hash('right', TURN_OF_SERVICE)];
  works.push(await workOf(() => passwords.findAmong('wrong', several, TURN_OF_SERVICE, COST)));
  const imported = [await hash('right', 5), await hash('right', 6)];
  works.push(await workOf(() => passwords.findAmong('wrong', imported, TURN_OF_SERVICE, COST)));
  expect(Math.max(...works) / Math.min(...works), works.join(', ')).toBeLessThan(1.3);
});

test('the right one of several hashes is found, imported or ours', async () => {
  const [ours, theirs] = [await passwords.hash('ours', TURN_OF_SERVICE), await hash('theirs', 4)];
  const find = (password: string) => passwords.findAmong(password, [theirs, ours], TURN_OF_SERVICE, 4);
  expect(await Promise.all(['ours', 'theirs', 'neither'].map(find))).toEqual([ours, theirs, undefined]);
  expect(await passwords.findAmong('neither', [theirs, theirs], TURN_OF_SERVICE)).toBeUndefined();
});

test('the event loop is not blocked while imported hashes are compared', async () => {
  let comparing = true;
  const work = passwords.matches('wrong', await hash('right', COST), TURN_OF_SERVICE).finally(() => {
    comparing = false;
  });
  let turns = 0;
  while (comparing) {
    turns += 1;
    await new Promise((turn) => setImmediate(turn));
  }
  await work;
  expect(turns).toBeGreaterThan(100);
});
