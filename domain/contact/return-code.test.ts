import { expect, test } from 'vitest';
import { makeReturnCode, RETURN_CODE_LENGTH, readReturnCode, showReturnCode } from './return-code.ts';

test('forty bits are eight letters, and different bits are different letters', () => {
  expect(makeReturnCode(Uint8Array.of(0, 0, 0, 0, 0))).toBe('00000000');
  expect(makeReturnCode(Uint8Array.of(255, 255, 255, 255, 255))).toBe('ZZZZZZZZ');
  expect(makeReturnCode(Uint8Array.of(0, 0, 0, 0, 33))).toBe('00000011');
  expect(makeReturnCode(Uint8Array.of(0x80, 0, 0, 0, 0, 99))).toBe('G0000000');
});

test('a code is read as it is shown, said, or typed on a phone', () => {
  for (const typed of [
    '7KQ4M01P',
    '7kq4 m01p',
    ' 7KQ4-M01P ',
    '7KQ4–M01P',
    '7kq4mo1p',
    '7KQ4MOIP',
    '7kq4molp',
    '７ＫＱ４Ｍ０１Ｐ',
    '7KQ4\u200bM٠١P',
    '7KQ4 M01P.',
    '“7KQ4 M01P”',
    '\ufffc7KQ4 M01P',
  ]) {
    expect(readReturnCode(typed), typed).toBe('7KQ4M01P');
  }
  expect(readReturnCode(showReturnCode('7KQ4M01P'))).toBe('7KQ4M01P');
  expect(showReturnCode('7KQ4M01P')).toBe('7KQ4 M01P');
});

test('what cannot be a code is none', () => {
  for (const typed of ['', '7KQ4M01', '7KQ4M01PP', '7KQ4M01U', '7KQ4_M01P', '7KQ4M01é', '7KQ4M01\0']) {
    expect(readReturnCode(typed), typed).toBeNull();
  }
  expect(makeReturnCode(new Uint8Array(5))).toHaveLength(RETURN_CODE_LENGTH);
});
