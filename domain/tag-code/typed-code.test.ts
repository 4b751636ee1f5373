import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#tests/support/long-runs.ts';
import { typedCodeOf } from './derive-typed-code.ts';
import { generateTagCode } from './tag-code.ts';
import { readTypedCode } from './typed-code.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FIRST = { tagCode: 'tgt-my-very-first-sticker', typedCode: '3DT6-Y0E3-TXX7-GGAD' };

const typedCodes = (count: number) =>
  Array.from({ length: count }, () => typedCodeOf(generateTagCode((bytes) => crypto.getRandomValues(bytes))));

describe('typedCodeOf', () => {
  it('stays the same for a tag code, because it is printed', () => {
    expect(typedCodeOf(FIRST.tagCode)).toBe(FIRST.typedCode);
  });

  it('has four groups of Crockford’s alphabet, and can be read', () => {
    for (const typedCode of typedCodes(1000)) {
      expect(typedCode).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(readTypedCode(typedCode)).toEqual({ ok: true, typedCode });
    }
  });

  it('uses every character about equally often in each place', () => {
    const counts = new Map<string, number>();
    const codes = typedCodes(6400);
    for (const typedCode of codes) {
      for (const [place, character] of Array.from(typedCode.replaceAll('-', '')).entries()) {
        counts.set(`${place} ${character}`, (counts.get(`${place} ${character}`) ?? 0) + 1);
      }
    }
    // 200 are expected; seven standard deviations are 98.
    expect(counts.size).toBe(16 * 32);
    expect(Math.min(...counts.values())).toBeGreaterThan(102);
    expect(Math.max(...counts.values())).toBeLessThan(298);
  });

  it('does not repeat itself', () => {
    const seen = new Set<string>();
    for (const round of rounds(5, 1_000)) {
      for (const typedCode of typedCodes(1_000)) seen.add(typedCode);
      expect(seen.size).toBe((round + 1) * 1_000);
    }
  });
});

describe('readTypedCode', () => {
  it.each([
    '3DT6Y0E3TXX7GGAD',
    '3dt6-y0e3-txx7-ggad',
    ' 3DT6 Y0E3 TXX7 GGAD\n',
    '3DT6–Y0E3—TXX7‑GGAD',
    '3DT6-YOE3-TXX7-GGAD',
    '3dt6-yoe3-txx7-ggad',
    '3DT6-Y0E3-TXX7-GGAD',
    '\u200e3DT6-Y0E3-TXX7-GGAD\u200e',
  ])('forgives how %j is written', (text) => {
    expect(readTypedCode(text)).toEqual({ ok: true, typedCode: FIRST.typedCode });
  });

  it('reads I and L as 1, and O as 0', () => {
    const withOne = typedCodes(200).filter((typedCode) => /[01]/.test(typedCode));
    expect(withOne.length).toBeGreaterThan(50);
    for (const typedCode of withOne) {
      for (const one of ['I', 'L', 'i', 'l']) {
        const read = readTypedCode(typedCode.replaceAll('1', one).replaceAll('0', one === 'I' ? 'O' : 'o'));
        expect(read).toEqual({ ok: true, typedCode });
      }
    }
  });

  it.each([
    ['', { kind: 'empty' }],
    [' - - ', { kind: 'empty' }],
    ['3DT6-Y0E3', { kind: 'too-short', characters: 8 }],
    ['3DT6-Y0E3-TXX7-GGAD-3', { kind: 'too-long', characters: 17 }],
    ['3DT6-Y0E3-TXX7-GGAU', { kind: 'character', character: 'U' }],
    ['3DT6_Y0E3', { kind: 'character', character: '_' }],
    ['3DT6-Y0E3-TXX7-GGAE', { kind: 'mistyped' }],
    ['0000-0000-0000-0001', { kind: 'mistyped' }],
  ])('says what is wrong with %j', (text, problem) => {
    expect(readTypedCode(text)).toEqual({ ok: false, problem });
  });

  it('detects every wrong character and every swap of neighbors in many codes', () => {
    let checked = 0;
    let codes = 0;
    for (const _ of rounds(500, 10_000)) {
      const [typedCode = ''] = typedCodes(1);
      codes += 1;
      const characters = Array.from(typedCode.replaceAll('-', ''));
      for (const [place, right] of characters.entries()) {
        const before = characters.slice(0, place).join('');
        const after = characters.slice(place + 1).join('');
        for (const wrong of ALPHABET) {
          if (wrong === right) continue;
          if (readTypedCode(before + wrong + after).ok) expect.unreachable(`${typedCode}: ${wrong} at ${place}`);
          checked += 1;
        }
        const next = characters[place + 1];
        if (next === undefined || next === right) continue;
        const swapped = before + next + right + characters.slice(place + 2).join('');
        if (readTypedCode(swapped).ok) expect.unreachable(`${typedCode}: ${swapped}`);
      }
    }
    expect(checked).toBe(codes * 16 * 31);
  });

  it('reads any text without failing, and nothing but its own form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const read = readTypedCode(text);
        if (read.ok) expect(readTypedCode(read.typedCode)).toEqual(read);
      }),
    );
  });
});
