import { expect, it } from 'vitest';
import { countCharacters, messageLengthState } from './count-characters.ts';

it('counts code points', () => {
  expect(countCharacters('')).toBe(0);
  expect(countCharacters('abc')).toBe(3);
  expect(countCharacters('😀é')).toBe(2);
  expect(countCharacters('e\u0301')).toBe(2);
});

it('is near the limit above 80 %, and full at it', () => {
  expect([0, 200, 201, 249, 250, 251].map((length) => messageLengthState(length))).toEqual([
    'fine',
    'fine',
    'near',
    'near',
    'full',
    'full',
  ]);
});
