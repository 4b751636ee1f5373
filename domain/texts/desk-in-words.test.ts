import { expect, test } from 'vitest';
import { desksWords } from '#words/desks.ts';
import type { OpeningHours, Span } from '../desks/opening-hours.ts';
import { desks as hebrew } from '../words/compiled/he/desks.ts';
import { desks as japanese } from '../words/compiled/ja/desks.ts';
import { desks as chinese } from '../words/compiled/zh-Hans/desks.ts';
import { hoursInWords } from './desk-in-words.ts';

const day: readonly Span[] = [['09:00', '18:00']];
const ALL_DAY: readonly Span[] = [['00:00', '00:00']];
const timeZone = 'Europe/Berlin';
const said = (hours: Pick<OpeningHours, 'week' | 'days'>, tag = 'en', words = desksWords({ tag })) =>
  hoursInWords({ ...hours, timeZone }, tag, words, Date.parse('2026-12-20T10:00Z')).map((line) =>
    line.replace(/[\u2009\u202f]/g, ' '),
  );

test('the hours of a desk are said by days of the same hours, with the holidays that are near', () => {
  const week = [day, day, day, day, day, [['22:00', '02:00']], []] as const;
  expect(said({ week, days: { '2026-12-25': [], '2027-12-25': [] } })).toEqual([
    'Mon – Fri: 9:00 AM – 6:00 PM',
    'Sat: 10:00 PM – 2:00 AM',
    'Sun: Closed',
    'Dec 25: Closed',
  ]);
});

test('all day is 24 hours, hours with a break are a list, and ranges are those of the language', () => {
  const twice: readonly Span[] = [
    ['09:00', '12:00'],
    ['22:00', '02:00'],
  ];
  const hours = { week: [ALL_DAY, ALL_DAY, twice, twice, [], [], []], days: { '2026-12-24': ALL_DAY } };
  expect(said(hours)).toEqual([
    'Mon – Tue: 24 hours',
    'Wed – Thu: 9:00 AM – 12:00 PM and 10:00 PM – 2:00 AM',
    'Fri – Sun: Closed',
    'Dec 24: 24 hours',
  ]);
  expect(said(hours, 'ja', japanese)[1]).toBe('水～木 9時00分～12時00分、22時00分～2時00分');
  expect(said(hours, 'zh-Hans', chinese)[0]).toBe('周一 – 周二：24小时');
});

test('hours of digits alone run from left to right in Hebrew', () => {
  const week = [day, day, day, day, day, [], []] as const;
  expect(said({ week, days: {} }, 'he', hebrew)[0]).toContain('\u20689:00–18:00\u2069');
});
