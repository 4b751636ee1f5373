import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CROCKFORD } from '../crockford.ts';
import { extractScannedValue, readScannedValue, readTypedSticker } from './read-scanned-value.ts';
import { isTagCode } from './tag-code.ts';
import { writeTypedCode } from './typed-code.ts';

describe('extractScannedValue', () => {
  it.each([
    ['as it is without slash and question mark', 'tgt-abc', 'tgt-abc'],
    ['as it is, whatever it is', 'hello world', 'hello world'],
    ['its ?code=', 'https://lost.example/?code=tgt-abc', 'tgt-abc'],
    ['its ?code= among others', 'https://lost.example/item/zzz?a=1&code=tgt-abc#x', 'tgt-abc'],
    ['what follows /item/', 'https://lost.example/item/abc', 'abc'],
    ['what follows /item/, up to ?', 'https://lost.example/item/abc?x=1', 'abc'],
    ['what follows /item/, up to #', 'https://lost.example/item/abc#top', 'abc'],
    ['the last segment longer than 4', 'https://lost.example/tgt-abc', 'tgt-abc'],
    ['the last segment before a slash at the end', 'https://lost.example/tgt-abc/', 'tgt-abc'],
    ['the value where the last segment is short', 'https://lost.example/abcd', 'https://lost.example/abcd'],
    ['the value where there is no path', 'https://lost.example/', 'https://lost.example/'],
    ['the value where code is empty and the path short', '/a?code=', '/a?code='],
  ])('gives %s', (_rule, value, extracted) => {
    expect(extractScannedValue(value)).toBe(extracted);
  });
});

describe('readScannedValue', () => {
  it('reads a code, a sticker and a link of the app', () => {
    expect(readScannedValue(' tgt-abc ')).toBe('tgt-abc');
    expect(readScannedValue('https://lost.example/tgt-AbC_-9')).toBe('tgt-AbC_-9');
    expect(readScannedValue('HTTPS://LOST.EXAMPLE/?code=tgt-abc')).toBe('tgt-abc');
    expect(readScannedValue('/qr?qr_id=abc')).toBe('abc');
    expect(readScannedValue('https://lost.example/qr?qr=abc')).toBe('abc');
  });

  it.each(['', '   ', 'https://lost.example/', 'hello world', 'javascript:alert(1)', '//evil', 'https://evil'])(
    'finds none in %j',
    (value) => {
      expect(readScannedValue(value)).toBeNull();
    },
  );

  it('returns a code or null for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true })), (value) => {
        const code = readScannedValue(value);
        if (code !== null) expect(isTagCode(code)).toBe(true);
      }),
    );
  });

  it('reads back every code from every form of link', () => {
    const codes = fc.stringMatching(/^tgt-[A-Za-z0-9_-]{1,60}$/);
    fc.assert(
      fc.property(codes, (code) => {
        for (const form of [code, `https://lost.example/${code}`, `/?code=${code}`, `/item/${code}?x#y`]) {
          expect(readScannedValue(form)).toBe(code);
        }
      }),
    );
  });
});

describe('readTypedSticker', () => {
  const typedCodes = fc
    .array(fc.integer({ min: 0, max: 31 }), { minLength: 15, maxLength: 15 })
    .map((values) => writeTypedCode(values));
  const places = fc.integer({ min: 0, max: 18 });
  const characters = fc.constantFrom(...CROCKFORD, 'U', 'u', '_');

  it.each([
    ['a code', '3dt6 yoe3 txx7 ggad', { kind: 'typed-code', typedCode: '3DT6-Y0E3-TXX7-GGAD' }],
    [
      'a link with a code',
      'lost.example/f/3DT6-Y0E3-TXX7-GGAD',
      { kind: 'typed-code', typedCode: '3DT6-Y0E3-TXX7-GGAD' },
    ],
    ['a link with a code that lacks a character', 'lost.example/f/3DT6-Y0E3-TXX7-GGA', null],
    ['a tag code', ' tgt-abc ', { kind: 'tag-code', code: 'tgt-abc' }],
    ['a link', 'https://lost.example/item/abc?x', { kind: 'tag-code', code: 'abc' }],
    ['a query', '?qr_id=abc', { kind: 'tag-code', code: 'abc' }],
    ['a tag code without its prefix', '8fJ2_kQ0-mZp4w1x', null],
    ['a code that lacks a character', '3DT6-Y0E3-TXX7-GGA', null],
    ['a code with one too many', '3DT6-Y0E3-TXX7-GGADD', null],
    ['a code with a U', '3DT6-Y0E3-TXX7-GGAU', null],
  ])('of %s', (_what, text, sticker) => {
    expect(readTypedSticker(text)).toEqual(sticker);
  });

  it('takes no typed code with a slip for a tag code', () => {
    fc.assert(
      fc.property(typedCodes, places, characters, (typedCode, place, character) => {
        const [before, after] = [typedCode.slice(0, place), typedCode.slice(place)];
        for (const slip of [before + after.slice(1), before + character + after, before + character + after.slice(1)]) {
          expect(readTypedSticker(slip)?.kind).not.toBe('tag-code');
        }
      }),
    );
  });
});
