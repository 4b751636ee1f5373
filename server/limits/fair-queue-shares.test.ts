import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairQueue, NoTurn, ShareUsedUp } from './fair-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that notes when it begins, and goes on until `end` is called. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    work: (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.set(name, resolve);
      }),
  };
}

test('one holder has its share and no more, while others take theirs', () => {
  const shares = new FairQueue({ atOnce: 10, perHolder: 2, waitMs: 50 });
  const { begun, work } = pieces();
  for (const name of ['ann 1', 'ann 2', 'ann 3', 'ben']) void shares.run(name.split(' ')[0] ?? '', work(name));
  expect(begun).toEqual(['ann 1', 'ann 2', 'ben']);
  expect([shares.running(), shares.waiting()]).toEqual([3, 1]);
});

test('a returned share goes to the work of the same holder that has waited longest', async () => {
  const shares = new FairQueue({ atOnce: 10, perHolder: 1 });
  const { begun, end, work } = pieces();
  const [first, second, third] = ['1', '2', '3'].map((name) => shares.run('ann', work(name)));
  end('1');
  await first;
  expect(begun).toEqual(['1', '2']);
  end('2');
  await second;
  expect(begun).toEqual(['1', '2', '3']);
  end('3');
  await third;
  expect([shares.running(), shares.waiting()]).toEqual([0, 0]);
});

test('a unit comes back where the work fails', async () => {
  const shares = new FairQueue({ atOnce: 10, perHolder: 1 });
  await expect(shares.run('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await shares.run('ann', async () => 'served')).toBe('served');
});

test('work that waits for too long is refused and blocks no other', async () => {
  const shares = new FairQueue({ atOnce: 10, perHolder: 1, waitMs: 50 });
  const { end, work } = pieces();
  const first = shares.run('ann', work('1'));
  const late = expect(shares.run('ann', work('2'))).rejects.toBeInstanceOf(ShareUsedUp);
  vi.advanceTimersByTime(50);
  await late;
  end('1');
  await first;
  expect(await shares.run('ann', async () => 'served')).toBe('served');
});

test('work without a holder is not counted', () => {
  const shares = new FairQueue({ atOnce: 10, perHolder: 1, waitMs: 50 });
  const { begun, work } = pieces();
  for (const name of ['1', '2']) void shares.run(null, work(name));
  expect(begun).toEqual(['1', '2']);
});

test('work that waits for too long because of others is refused for another reason', async () => {
  const queue = new FairQueue({ atOnce: 1, perHolder: 1, waitMs: 50 });
  const { end, work } = pieces();
  const first = queue.run('ann', work('1'));
  const late = expect(queue.run('ben', work('2'))).rejects.toBeInstanceOf(NoTurn);
  vi.advanceTimersByTime(50);
  await late;
  end('1');
  await first;
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test('a place that becomes free goes to no holder with its whole share', async () => {
  const queue = new FairQueue({ atOnce: 2, perHolder: 1 });
  const { begun, end, work } = pieces();
  const all = ['ann 1', 'ann 2', 'ben', 'cem'].map((name) => queue.run(name.split(' ')[0] ?? '', work(name)));
  end('ben');
  await all[2];
  expect(begun).toEqual(['ann 1', 'ben', 'cem']);
  end('cem');
  await all[3];
  expect(begun, 'a place is free, and the share is not').toEqual(['ann 1', 'ben', 'cem']);
  end('ann 1');
  await all[0];
  expect(begun.at(-1)).toBe('ann 2');
  end('ann 2');
  await all[1];
});

test('a lane with its whole share leaves the rest to others, and waits for its own', async () => {
  const queue = new FairQueue({ atOnce: 3, perLane: 2 });
  const { begun, end, work } = pieces();
  const run = (name: string) => queue.run(name, work(name), name.slice(0, 1));
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map(run);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect([queue.running('a'), queue.waiting('a'), queue.running('b'), queue.waiting('b')]).toEqual([2, 1, 1, 1]);
  end('b1');
  await all[3];
  expect(begun.at(-1)).toBe('b2');
  end('a1');
  await all[0];
  expect(begun.at(-1)).toBe('a3');
  for (const name of ['a2', 'a3', 'b2']) end(name);
  await Promise.all(all);
});
