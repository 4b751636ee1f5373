import { expect, test } from 'vitest';
import { NotNow, OwnerTurns } from './owner-turns.ts';

/** The requests of a process, each of which ends when the test says so. */
function startTurns() {
  const turns = new OwnerTurns();
  const ends: (() => void)[] = [];
  const all: Promise<void>[] = [];
  /** Begins a request. Returns the seconds that it must wait instead, or null. */
  async function begin(owner: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const made = turns.run(owner, () => promise);
    // A request that must wait is refused at once; one that runs is still under way a turn later.
    const outcome = await Promise.race([made.catch((error: unknown) => error), turn()]);
    if (outcome instanceof NotNow) return outcome.seconds;
    ends.push(resolve);
    all.push(made);
    return null;
  }
  async function endAll(): Promise<void> {
    for (const end of ends.splice(0)) end();
    await Promise.all(all.splice(0));
  }
  return { begin, endAll };
}

const turn = () => new Promise<null>((resolve) => setImmediate(() => resolve(null)));

test('one owner has three at a time, and those that are put off come back one after another', async () => {
  const { begin, endAll } = startTurns();
  for (let count = 0; count < 3; count += 1) expect(await begin('ann')).toBeNull();
  expect([await begin('ann'), await begin('ann'), await begin('ann')]).toEqual([1, 2, 3]);
  expect(await begin('bob')).toBeNull();
  await endAll();
  expect(await begin('ann')).toBeNull();
  await endAll();
});

test('a request that fails gives its place back', async () => {
  const turns = new OwnerTurns();
  for (let count = 0; count < 20; count += 1)
    await expect(turns.run('ann', () => Promise.reject(new Error('No response')))).rejects.toThrow('No response');
  expect(await turns.run('ann', async () => 'sent')).toBe('sent');
});
