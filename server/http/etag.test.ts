import { expect, test } from 'vitest';
import { isFresh } from './etag.ts';

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a" ,"c"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
  [null, false],
])('If-None-Match: %s', (header, fresh) => {
  expect(isFresh(header, '"a"')).toBe(fresh);
});
