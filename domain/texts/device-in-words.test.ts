import { expect, test } from 'vitest';
import { words as german } from '#domain/words/compiled/de/index.ts';
import { words as english } from '#domain/words/compiled/en/index.ts';
import { words as hebrew } from '#domain/words/compiled/he/index.ts';
import { words as japanese } from '#domain/words/compiled/ja/index.ts';
import { deviceInWords } from './device-in-words.ts';

test.each([
  ['Chrome on Android', english, 'Chrome on Android'],
  ['Samsung Internet on Android', german, 'Samsung Internet auf Android'],
  ['Chrome on Android', japanese, 'AndroidのChrome'],
  ['Chrome on Android', hebrew, '\u2068Chrome\u2069 ב־\u2068Android\u2069'],
  ['Unknown device', english, 'Unknown device'],
  ['Unknown device', hebrew, 'מכשיר לא ידוע'],
])('“%s” is in the reader’s language', (stored, { changes }, shown) => {
  expect(deviceInWords(stored, changes)).toBe(shown);
});

test.each(['iPhone', 'Key on the desk', 'Chrome on Android on Linux', 'Chrome on', ''])(
  '“%s” stays as it is',
  (name) => {
    expect(deviceInWords(name, german.changes)).toBe(name);
  },
);
