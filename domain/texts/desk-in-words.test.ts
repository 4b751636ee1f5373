import { expect, test } from 'vitest';
import { desksWords } from '#words/desks.ts';
import type { Span } from '../desks/opening-hours.ts';
import { deskInWords } from './desk-in-words.ts';

const day: readonly Span[] = [['09:00', '18:00']];
const desk = {
  id: '1',
  name: 'Station',
  place: 'Hall 2',
  phone: '+49 30 1234567',
  languages: [],
  hours: {
    week: [day, day, day, day, day, [['22:00', '02:00']], []] as const,
    days: { '2026-12-25': [], '2027-12-25': [] },
    timeZone: 'Europe/Berlin',
  },
};

test('the hours of a desk are said by days of the same hours, with the holidays that are near', () => {
  const lines = deskInWords(desk, 'en', desksWords({ tag: 'en' }), Date.parse('2026-12-20T10:00Z'));
  expect(lines.map((line) => line.replaceAll('\u202f', ' '))).toEqual([
    'Mon – Fri: 9:00 AM – 6:00 PM',
    'Sat: 10:00 PM – 2:00 AM',
    'Sun: Closed',
    'Dec 25: Closed',
    '+49 30 1234567',
  ]);
});
