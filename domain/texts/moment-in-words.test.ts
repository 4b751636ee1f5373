import { expect, test } from 'vitest';
import { momentInWords } from './moment-in-words.ts';

const MOMENT = '2026-11-30T15:00:00Z';

test('a reader whose time zone is known reads a time as their clocks show it', () => {
  const zones = { timeZone: 'Asia/Tokyo', senderZone: 'Asia/Jerusalem' };
  expect(momentInWords(MOMENT, 'en', zones)).toBe('Tue, Dec 1, 12:00 AM');
  expect(momentInWords(MOMENT, 'ja', zones)).toBe('12月1日(火) 0:00');
});

test('a time whose reader’s zone is not known is that of its sender, and names the zone', () => {
  const zones = { timeZone: undefined, senderZone: 'Asia/Jerusalem' };
  expect(momentInWords(MOMENT, 'en', zones)).toBe('Mon, Nov 30, 5:00 PM GMT+2');
});

test.each(['Mars/Olympus', '', '__proto__', 'UTC; drop table', '+99:99'])(
  'a zone that does not exist (%s) is UTC, and the page is shown',
  (zone) => {
    expect(momentInWords(MOMENT, 'en', { timeZone: zone, senderZone: zone })).toBe('Mon, Nov 30, 3:00 PM UTC');
    expect(momentInWords(MOMENT, 'en', { timeZone: undefined, senderZone: null })).toContain('3:00 PM UTC');
  },
);
