import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairShares, ShareUsedUp } from './fair-shares.ts';

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
  const shares = new FairShares({ most: 2, waitMs: 50 });
  const { begun, work } = pieces();
  for (const name of ['ann 1', 'ann 2', 'ann 3', 'ben']) void shares.run(name.split(' ')[0] ?? '', work(name));
  expect(begun).toEqual(['ann 1', 'ann 2', 'ben']);
  expect(shares.usage('ann')).toEqual({ held: 2, waiting: 1 });
});

test('a returned share goes to the work of the same holder that has waited longest', async () => {
  const shares = new FairShares({ most: 1 });
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
  expect(shares.usage('ann')).toEqual({ held: 0, waiting: 0 });
});

test('a unit comes back where the work fails', async () => {
  const shares = new FairShares({ most: 1 });
  await expect(shares.run('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await shares.run('ann', async () => 'served')).toBe('served');
});

test('work that waits for too long is refused and blocks no other', async () => {
  const shares = new FairShares({ most: 1, waitMs: 50 });
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
  const shares = new FairShares({ most: 1, waitMs: 50 });
  const { begun, work } = pieces();
  for (const name of ['1', '2']) void shares.run(null, work(name));
  expect(begun).toEqual(['1', '2']);
});
