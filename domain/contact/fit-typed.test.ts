import { expect, it } from 'vitest';
import { fitTyped } from './fit-typed.ts';

it('accepts text that fits, unchanged', () => {
  expect(fitTyped(' abc ', 4, 3)).toEqual({ text: ' abc ', caret: 4 });
});

it('refuses input in the middle of a full text, and keeps the end', () => {
  expect(fitTyped('axbc', 2, 3)).toEqual({ text: 'abc', caret: 1 });
});

it('cuts pasted text at the insertion point, by whole characters', () => {
  expect(fitTyped('a😀😀bc', 5, 4)).toEqual({ text: 'a😀bc', caret: 3 });
  expect(fitTyped('abcdef', 6, 4)).toEqual({ text: 'abcd', caret: 4 });
});

it('cuts the end of a text that was too long before the user typed', () => {
  expect(fitTyped('abcdef', 0, 4)).toEqual({ text: 'abcd', caret: 4 });
  expect(fitTyped('  abcdef', 1, 4)).toEqual({ text: 'abcd', caret: 4 });
});
