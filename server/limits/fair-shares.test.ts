import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairShares, ShareUsedUp } from './fair-shares.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('one holder has its share and no more, while others take theirs', () => {
  const shares = new FairShares({ most: 2, waitMs: 50 });
  expect([shares.take('ann'), shares.take('ann')]).toEqual([undefined, undefined]);
  expect(shares.take('ann')).toBeInstanceOf(Promise);
  expect(shares.take('ben')).toBeUndefined();
});

test('a returned share goes to the first waiter of the same holder', async () => {
  const shares = new FairShares({ most: 1, waitMs: 50 });
  const served: string[] = [];
  void shares.take('ann');
  const first = shares.take('ann')?.then(() => served.push('first'));
  const second = shares.take('ann')?.then(() => served.push('second'));
  shares.giveBack('ann');
  await first;
  expect(served).toEqual(['first']);
  shares.giveBack('ann');
  await second;
  expect(served).toEqual(['first', 'second']);
  shares.giveBack('ann');
  expect(shares.take('ann')).toBeUndefined();
});

test('a waiter that times out is refused and blocks no other', async () => {
  const shares = new FairShares({ most: 1, waitMs: 50 });
  void shares.take('ann');
  const late = expect(shares.take('ann')).rejects.toBeInstanceOf(ShareUsedUp);
  vi.advanceTimersByTime(50);
  await late;
  shares.giveBack('ann');
  expect(shares.take('ann')).toBeUndefined();
});

test('takes without a holder are not counted', () => {
  const shares = new FairShares({ most: 1, waitMs: 50 });
  expect([shares.take(null), shares.take(null)]).toEqual([undefined, undefined]);
  shares.giveBack(null);
});
