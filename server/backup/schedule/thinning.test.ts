import { expect, test } from 'vitest';
import { readKept, tooMany } from './thinning.ts';

const DAY_MS = 86_400_000;
const kept = { daily: 7, weekly: 4, monthly: 12 };
/** A backup each day at 03:30 until 28 November 2026, a Saturday. */
const days = (number: number) =>
  Array.from({ length: number }, (_, day) => ({
    moment: new Date(Date.parse('2026-11-28T03:30:00Z') - day * DAY_MS).toISOString(),
  }));
const left = (backups: readonly { readonly moment: string }[]) => {
  const removed = tooMany(backups, kept);
  return backups.filter((backup) => !removed.includes(backup)).map(({ moment }) => moment.slice(0, 10));
};

test('of two years of daily backups the last seven days, four weeks, and twelve months have one', () => {
  expect(left(days(730))).toEqual([
    ...['2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22'],
    ...['2026-11-15', '2026-11-08', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
    ...['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ]);
});

test('thinned every day, the same are left as thinned once', () => {
  let there: { readonly moment: string }[] = [];
  for (const backup of days(730).reverse()) {
    there = [backup, ...there];
    const removed = tooMany(there, kept);
    there = there.filter((each) => !removed.includes(each));
  }
  expect(there.map(({ moment }) => moment.slice(0, 10))).toEqual(left(days(730)));
});

test('the newest stays, however old it is, and of a day without another one nothing is removed', () => {
  const [old] = days(1);
  expect(tooMany(old === undefined ? [] : [old], { daily: 1, weekly: 0, monthly: 0 })).toEqual([]);
  expect(tooMany([], kept)).toEqual([]);
});

test('what is kept is said in words, and at least a day', () => {
  expect(readKept('7 daily 4 weekly 12 monthly')).toEqual(kept);
  expect(readKept('1 daily, 0 weekly, 0 monthly')).toEqual({ daily: 1, weekly: 0, monthly: 0 });
  for (const text of ['', '7', '0 daily 4 weekly 12 monthly', 'all']) expect(readKept(text)).toBeNull();
});
