import { expect, test } from 'vitest';
import { MOST_PUSHES, RunningPushes, TooManyPushes } from './running-pushes.ts';

/** The running pushes of a process whose clock the test holds. */
function startRunning() {
  let time = 0;
  const running = new RunningPushes(() => time);
  const ends: (() => void)[] = [];
  /** Begins a push that ends when the test says so. Returns the seconds that it must wait instead, or null. */
  async function begin(owner: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pushed = running.run(owner, () => promise);
    // A push that must wait is refused at once; one that runs is still under way a turn later.
    const outcome = await Promise.race([pushed.catch((error: unknown) => error), turn()]);
    if (outcome instanceof TooManyPushes) return outcome.seconds;
    ends.push(resolve);
    all.push(pushed);
    return null;
  }
  const all: Promise<void>[] = [];
  async function endAll(): Promise<void> {
    for (const end of ends.splice(0)) end();
    await Promise.all(all.splice(0));
  }
  return { running, begin, endAll, pass: (milliseconds: number) => (time += milliseconds) };
}

const turn = () => new Promise<null>((resolve) => setImmediate(() => resolve(null)));

test('one owner has three at a time, and those that are put off come back one after another', async () => {
  const { begin, endAll } = startRunning();
  for (let count = 0; count < 3; count += 1) expect(await begin('ann')).toBeNull();
  expect([await begin('ann'), await begin('ann'), await begin('ann')]).toEqual([1, 2, 3]);
  expect(await begin('bob')).toBeNull();
  await endAll();
  expect(await begin('ann')).toBeNull();
  await endAll();
});

test('once all run, the queue hands out no more', async () => {
  const { running, begin, endAll } = startRunning();
  for (let count = 0; count < MOST_PUSHES; count += 1) {
    expect(running.forbiddenFlags()).toEqual([]);
    expect(await begin(`owner ${count}`)).toBeNull();
  }
  expect(running.forbiddenFlags()).toEqual(['push']);
  expect(await begin('one more')).toBe(1);
  await endAll();
  expect(running.forbiddenFlags()).toEqual([]);
});

test('slow owners share two places, however many they are, and the others have the rest', async () => {
  const { running, begin, endAll, pass } = startRunning();
  const slow = ['s1', 's2', 's3', 's4', 's5', 's6'];
  for (const owner of slow) expect(await begin(owner)).toBeNull();
  pass(5_000);
  await endAll();

  const outcomes: (number | null)[] = [];
  for (const owner of slow) outcomes.push(await begin(owner));
  expect(outcomes).toEqual([null, null, 1, 2, 3, 4]);
  expect(running.forbiddenFlags()).toEqual([]);
  for (const owner of ['f1', 'f2', 'f3', 'f4']) expect(await begin(owner)).toBeNull();
  // A fast push in between does not make a slow owner fast.
  pass(10);
  await endAll();
  expect([await begin('s1'), await begin('s2'), await begin('s1')]).toEqual([null, null, 1]);
  await endAll();

  pass(600_000);
  for (const owner of slow) expect(await begin(owner)).toBeNull();
  await endAll();
});

test('a push that fails gives its place back', async () => {
  const { running } = startRunning();
  for (let count = 0; count < 20; count += 1)
    await expect(running.run('ann', () => Promise.reject(new Error('No response')))).rejects.toThrow('No response');
  expect(await running.run('ann', async () => 'sent')).toBe('sent');
});
