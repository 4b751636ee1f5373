import { expect, test } from 'vitest';
import { readOneTimeCode } from './read-one-time-code.ts';

test.each([
  ['868296', '868296'],
  [' 868 296 ', '868296'],
  ['868-296', '868296'],
  ['8 6 8 2 9 6', '868296'],
  ['Reunite 2026: your code is 868296', '868296'],
  ['868296 is your code. It is valid for 10 minutes.', '868296'],
  ['In 2026 the code 868 296 is valid for 10 minutes', '868296'],
  ['٤٠٧٠٢٦', '407026'],
  ['４０７０２６', '407026'],
  ['86\u200b8296', '868296'],
  ['12', '12'],
  ['', ''],
])('the code in %j is %j [K90]', (text, code) => {
  expect(readOneTimeCode(text)).toBe(code);
  expect(readOneTimeCode(code)).toBe(code);
});
