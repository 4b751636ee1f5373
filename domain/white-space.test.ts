import { expect, it, test } from 'vitest';
import { trimBlanks, wordsOf } from './white-space.ts';

const every = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

it('trims every character that JavaScript trims', () => {
  for (const character of every) if (character.trim() === '') expect(trimBlanks(`${character}a${character}`)).toBe('a');
});

it('splits at every character that JavaScript calls white space', () => {
  for (const character of every) if (/\s/.test(character)) expect(wordsOf(`a${character}b`)).toEqual(['a', 'b']);
});

test.each([
  ['Maya\u00a0Cohen', ['Maya', 'Cohen']],
  ['Maya\u200bCohen', ['Maya', 'Cohen']],
  ['\u2060 Maya\u3000\u200d', ['Maya']],
  // A name with a joiner, as in Persian, is one word.
  ['علی\u200cرضا رضایی', ['علی\u200cرضا', 'رضایی']],
  ['\u200b\u2009', []],
])('%j has the words %j', (text, words) => expect(wordsOf(text)).toEqual(words));
