import { expect, test } from 'vitest';
import { finderViewIn } from '#domain/finder-language.ts';
import { english as language } from '#domain/language.ts';
import { detailsInWords, messageInWords } from '#domain/texts/message-in-words.ts';
import { mapLink, NO_DETAILS } from './message-details.ts';

const english = finderViewIn(language);
const location = { latitude: 32.08, longitude: 34.78, exact: false };

test.each([
  [{ ...NO_DETAILS }, []],
  [{ ...NO_DETAILS, place: 'Gate 4' }, ['Place: Gate 4']],
  [{ ...NO_DETAILS, kind: 'have_it' as const }, ['I have it']],
  [{ ...NO_DETAILS, kind: 'left_it' as const, place: 'the café' }, ['I left it at the café']],
  [{ ...NO_DETAILS, kind: 'left_it' as const, place: 'קפה' }, ['I left it at \u2068קפה\u2069']],
  [{ ...NO_DETAILS, kind: 'photo' as const }, ['I took a photo']],
  [{ ...NO_DETAILS, kind: 'photo' as const, place: 'Gate 4' }, ['I took a photo at Gate 4']],
  [
    { kind: 'saw_it' as const, place: null, location },
    ['I saw it here', 'Location: 32.08, 34.78, to about a kilometer'],
  ],
  [
    { ...NO_DETAILS, location: { latitude: 32.08123, longitude: -34.7, exact: true } },
    ['Exact location: 32.08123, -34.70000'],
  ],
])('%j reads %j', (details, lines) => {
  expect(detailsInWords({ ...details, body: '' }, english)).toEqual(lines);
});

test('a photo with a text gets no words that the finder did not write; a notice says that there is one', () => {
  const message = { ...NO_DETAILS, kind: 'photo' as const, body: 'By the door' };
  expect(detailsInWords(message, english)).toEqual([]);
  expect(detailsInWords({ ...message, place: 'Gate 4' }, english)).toEqual(['Place: Gate 4']);
  expect(messageInWords(message, english)).toBe('By the door\n(With a photo)');
  expect(messageInWords({ ...message, body: '' }, english)).toBe('I took a photo');
});

test('a map shows the neighborhood, or the spot', () => {
  expect(mapLink(location)).toBe('https://www.openstreetmap.org/?mlat=32.08&mlon=34.78#map=13/32.08/34.78');
  expect(mapLink({ ...location, exact: true })).toContain('#map=17/');
});
