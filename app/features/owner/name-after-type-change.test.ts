import { expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { nameAfterTypeChange } from './name-after-type-change.ts';

it.each([
  ['Keys', 'keys', 'wallet', 'Wallet'],
  ['My Tagged Item', 'other', 'keys', 'Keys'],
  ['House keys', 'keys', 'wallet', 'House keys'],
  ['Keys', 'keys', 'custom', 'Keys'],
] as const)('%s, changed from %s to %s, is called %s', (name, from, to, after) => {
  expect(nameAfterTypeChange(name, from, to, english.texts)).toBe(after);
});
