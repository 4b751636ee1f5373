import { expect, it, test } from 'vitest';
import { trimMessage } from './trim-message.ts';

test.each([
  ['  At the desk \n', 'At the desk'],
  ['one\r\ntwo\rthree\n', 'one\ntwo\nthree'],
  ['\u00a0\u2003 in \u00a0 between \u200b', 'in \u00a0 between'],
  ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['שלום', 'שלום'],
  ['\u0007one\u202e\ttwo\u2066\u0085three\u007f', 'one\ttwothree'],
])('%j is kept as %j', (typed, kept) => expect(trimMessage(typed)).toBe(kept));

test.each(['', ' \t\v\f\r\n', '\u00a0', '\u2003\u2009', '\u200b\u200c\u200d', '\u2060\ufeff', '\u2028\u2029\u3000'])(
  '%j has no visible text',
  (typed) => expect(trimMessage(typed)).toBe(''),
);

it('trims every character that JavaScript trims', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if (character.trim() === '') expect(trimMessage(character)).toBe('');
  }
});

it('takes no time for a text full of blanks', () => {
  const typed = `a${' '.repeat(1_000_000)}b`;
  const before = process.threadCpuUsage();
  expect(trimMessage(typed)).toBe(typed);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
