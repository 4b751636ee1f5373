import { expect, test } from 'vitest';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** A queue whose work ends when the test says so, and the order in which it began. */
function setUp(mostWaiting: number) {
  const queue = new FairQueue({ mostWaiting });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (holder: string) =>
    queue.run(
      holder,
      () =>
        new Promise<void>((end) => {
          begun.push(holder);
          ends.push(end);
        }),
    );
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise((turn) => setImmediate(turn));
    }
  };
  return { run, begun, endAll };
}

test('a holder with one piece waits for one of a holder with thirty', async () => {
  const { run, begun, endAll } = setUp(40);
  const all = Array.from({ length: 30 }, () => run('many'));
  all.push(run('one'));
  await endAll();
  await Promise.all(all);
  expect(begun.slice(0, 3)).toEqual(['many', 'one', 'many']);
  expect(begun).toHaveLength(31);
});

test('a full queue refuses the latest of the holder with the most, and one that has as many as anyone', async () => {
  const { run, begun, endAll } = setUp(3);
  const many = Array.from({ length: 4 }, () => run('many').then(() => 'done'));
  await expect(run('many')).rejects.toThrow(QueueFull);
  const one = run('one');
  await expect(many[3]).rejects.toThrow(QueueFull);
  await expect(run('one')).rejects.toThrow(QueueFull);
  await endAll();
  await Promise.all([...many.slice(0, 3), one]);
  expect(begun).toEqual(['many', 'one', 'many', 'many']);
});

test('work that fails gives its turn on', async () => {
  const queue = new FairQueue({ mostWaiting: 1 });
  const failing = queue.run('a', () => Promise.reject(new Error('broken')));
  const next = queue.run('b', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
