import { expect, test } from 'vitest';
import { readDayHours, readOtherDays, readWeek, writeDayHours, writeOtherDays, writeWeek } from './typed-hours.ts';

test.each([
  ['', [], ''],
  ['9-18', [['09:00', '18:00']], '09:00–18:00'],
  [
    ' 09:00 – 12.30 , 14-18:15',
    [
      ['09:00', '12:30'],
      ['14:00', '18:15'],
    ],
    '09:00–12:30, 14:00–18:15',
  ],
  ['22-2', [['22:00', '02:00']], '22:00–02:00'],
  ['0-24', [['00:00', '00:00']], '00:00–24:00'],
] as const)('%j is read as the hours of a day', (typed, spans, written) => {
  expect(readDayHours(typed)).toEqual(spans);
  expect(writeDayHours(spans)).toBe(written);
  expect(readDayHours(written)).toEqual(spans);
});

test.each(['9', 'nine to five', '9-25', '9-18:60', '9-18 10-12', '1-2,3-4,5-6,7-8,9-10'])('%j is not', (typed) =>
  expect(readDayHours(typed)).toBeNull(),
);

test('a week and its other days are read and written', () => {
  const week = readWeek('Mon-Wed 9-18; sat 10-14');
  expect(week?.map((spans) => spans.length)).toEqual([1, 1, 1, 0, 0, 1, 0]);
  expect(week && readWeek(writeWeek(week))).toEqual(week);
  const days = readOtherDays('2026-12-25\n2026-12-24 9-12');
  expect(days).toEqual({ '2026-12-25': [], '2026-12-24': [['09:00', '12:00']] });
  expect(days && writeOtherDays(days)).toBe('2026-12-24 09:00–12:00\n2026-12-25');
  for (const wrong of ['fri-mon 9-18', 'mon', 'someday 9-18', 'mon 25-26']) expect(readWeek(wrong)).toBeNull();
  for (const wrong of ['25.12.2026', '2026-12-24 morning']) expect(readOtherDays(wrong)).toBeNull();
});
