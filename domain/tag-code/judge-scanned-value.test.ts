import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeScannedValue } from './judge-scanned-value.ts';
import { isTagCode } from './tag-code.ts';
import { readTypedCode } from './typed-code.ts';

const OURS = ['lost.example', 'localhost:3000'];

it.each([
  'tgt-abc',
  ' tgt-abc ',
  'https://lost.example/tgt-abc',
  'HTTPS://LOST.EXAMPLE/?code=tgt-abc',
  'http://lost.example/tgt-abc',
  'http://localhost:3000/item/tgt-abc?x',
  '/item/tgt-abc',
])('%j contains a tag code', (value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'ours', sticker: { kind: 'tag-code', code: 'tgt-abc' } });
});

const TYPED = '3DT6-Y0E3-TXX7-GGAD';

it.each([
  TYPED,
  ' 3dt6 yoe3 txx7 ggad ',
  'https://lost.example/f/3DT6-Y0E3-TXX7-GGAD',
  'HTTPS://LOST.EXAMPLE/F/3dt6y0e3txx7ggad?x#y',
  'http://localhost:3000/f/3DT6%20Y0E3%20TXX7%20GGAD',
  '/f/3dt6-y0e3-txx7-ggad',
])('%j contains a typed code', (value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'ours', sticker: { kind: 'typed-code', typedCode: TYPED } });
});

it('keeps the typed code of another site’s link, to be looked up here', () => {
  const sticker = { kind: 'typed-code', typedCode: TYPED };
  const judged = judgeScannedValue(`https://old.example/f/${TYPED}`, OURS);
  expect(judged).toEqual({ kind: 'foreign', host: 'old.example', sticker });
});

it.each([
  ['a mistyped one in a link', 'https://lost.example/f/3DT6-Y0E3-TXX7-GGAE'],
  ['a mistyped one by itself', '3DT6-Y0E3-TXX7-GGAE'],
  ['one that cannot be decoded', '/f/%E0%A4%A'],
])('does not take %s for a tag code', (_what, value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'unreadable' });
});

it('takes what begins like a tag code for one, whatever its check character', () => {
  const codes = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (last) => `tgt-Y0E3TXX7GGAD${last}`);
  for (const code of codes)
    expect(judgeScannedValue(code, OURS)).toEqual({ kind: 'ours', sticker: { kind: 'tag-code', code } });
});

it.each([
  ['https://evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['//evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['\\\\evil.example/tgt-abc', 'evil.example', 'tgt-abc'],
  ['https:\\\\evil.example\\tgt-abc', 'evil.example', null],
  ['https://lost.example@evil.example/?code=tgt-abc', 'evil.example', 'tgt-abc'],
  ['https://lost.example.evil.example/', 'lost.example.evil.example', null],
  ['https://evil.example/', 'evil.example', null],
])('%j belongs to another site, which is named [D36]', (value, host, code) => {
  const sticker = code === null ? null : { kind: 'tag-code', code };
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'foreign', host, sticker });
});

it.each([
  'javascript:alert(1)',
  'javascript://lost.example/tgt-abc',
  'data:text/html,/item/tgt-abc',
  'WIFI:S:home;T:WPA;P:secret;;',
  'mailto:dana@lost.example?code=tgt-abc',
  'hello world',
  'https://lost.example/',
  'new-item',
  '',
])('%j is not recognized [D36]', (value) => {
  expect(judgeScannedValue(value, OURS)).toEqual({ kind: 'unreadable' });
});

it('returns a code that is safe in a path, or none, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true })), (value) => {
      const judged = judgeScannedValue(value, OURS);
      const sticker = judged.kind === 'unreadable' ? null : judged.sticker;
      if (sticker?.kind === 'tag-code') expect(isTagCode(sticker.code)).toBe(true);
      if (sticker?.kind === 'typed-code') expect(readTypedCode(sticker.typedCode).ok).toBe(true);
    }),
  );
});
