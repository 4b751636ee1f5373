import { expect, test } from 'vitest';
import { lastDue, readSchedule } from './schedule.ts';

const at = (text: string) => new Date(text);

test('a schedule is hourly, or daily at a time of the clock; anything else is refused', () => {
  expect(readSchedule('hourly')).toEqual({ every: 'hour' });
  expect(readSchedule('daily 03:30')).toEqual({ every: 'day', hour: 3, minute: 30 });
  for (const text of ['', 'daily', 'daily 3:30', 'daily 24:00', 'weekly', '30 3 * * *'])
    expect(readSchedule(text)).toBeNull();
});

test('a daily backup is due at that time of the local clock, on the day before until then', () => {
  const daily = { every: 'day', hour: 3, minute: 30 } as const;
  expect(lastDue(daily, at('2026-11-28T03:30:00'))).toEqual(at('2026-11-28T03:30:00'));
  expect(lastDue(daily, at('2026-11-28T03:29:59'))).toEqual(at('2026-11-27T03:30:00'));
  expect(lastDue({ every: 'hour' }, at('2026-11-28T03:29:59'))).toEqual(at('2026-11-28T03:00:00'));
});
