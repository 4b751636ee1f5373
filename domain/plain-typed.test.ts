import { expect, test } from 'vitest';
import { plainTyped } from './plain-typed.ts';

test.each([
  ['٤٠٧٠٢٦', '407026'],
  ['۴۰۷۰۲۶', '407026'],
  ['４０７０２６', '407026'],
  ['४०७०२६', '407026'],
  ['𝟜𝟘𝟟', '407'],
  ['𞥐𞥙', '09'],
  ['4️⃣0️⃣', '40'],
  ['+972\ufe0d-50-1234567', '+972-50-1234567'],
  ['\u202a+972 50\u202c', '+972 50'],
  ['1\u00ad2\u200b3\u034f4\u2060', '1234'],
  ['ＡＢＣ', 'ABC'],
  ['+972\ufffc-50\u0000\u0007\u2800\ud8001', '+972-501'],
  ['1\u20282\u00853\t4\n5', '1 2 3 4 5'],
])('%j is %j', (typed, plain) => {
  expect(plainTyped(typed)).toBe(plain);
});

test('every digit of Unicode is the number that the engine knows it for [K90]', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{Decimal_Number}/u.test(character)) expect(plainTyped(character), code.toString(16)).toMatch(/^[0-9]$/);
  }
});
