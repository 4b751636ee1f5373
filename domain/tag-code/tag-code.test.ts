import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateTagCode, isClaimableTagCode, isTagCode, stickerLink } from './tag-code.ts';

const fillRandom = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

describe('generateTagCode', () => {
  it('makes tgt- and 16 URL-safe characters, which may be claimed', () => {
    for (let round = 0; round < 1000; round += 1) {
      const code = generateTagCode(fillRandom);
      expect(code).toMatch(/^tgt-[A-Za-z0-9_-]{16}$/);
      expect(isClaimableTagCode(code)).toBe(true);
    }
  });

  it('does not repeat itself, as a generator of 32 bits would about five times [D30]', () => {
    const codes = new Set<string>();
    for (let made = 0; made < 200_000; made += 1) codes.add(generateTagCode(fillRandom));
    expect(codes.size).toBe(200_000);
  });

  it('gives every byte value its letter, each of the 64 equally often [D30]', () => {
    const counts = new Map<string, number>();
    for (let start = 0; start < 256; start += 1) {
      const code = generateTagCode((bytes) => bytes.map((_, index) => start + index));
      for (const letter of code.slice(4, -1)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(64);
    expect(new Set(counts.values())).toEqual(new Set([15 * 4]));
  });

  it('ends in a letter, each of 32 equally often, whatever the random bytes [K70]', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const last = generateTagCode((bytes) => bytes.fill(byte)).slice(-1);
      expect(last).toMatch(/[A-Za-z0-9]/);
      counts.set(last, (counts.get(last) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    expect(new Set(counts.values())).toEqual(new Set([8]));
  });
});

describe('stickerLink', () => {
  it('is as short as it can be, and leads there whatever the code looks like', () => {
    expect(stickerLink('https://reunite.example', 'tgt-abc')).toBe('https://reunite.example/tgt-abc');
    expect(stickerLink('https://reunite.example', 'abc')).toBe('https://reunite.example/?code=abc');
  });
});

describe('isTagCode', () => {
  it.each(['a', 'new-item', 'tgt-abc', 'A_b-9', 'x'.repeat(64)])('takes %s', (code) => {
    expect(isTagCode(code)).toBe(true);
  });

  it.each(['', 'a b', 'a/b', '../x', 'tgt-é', 'a\n', 'a%20', 'x'.repeat(65)])('refuses %j', (code) => {
    expect(isTagCode(code)).toBe(false);
  });

  it('accepts no character that needs escaping in a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (text) => {
        if (isTagCode(text)) expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });
});

describe('isClaimableTagCode', () => {
  it('requires 14 characters after the prefix', () => {
    expect(isClaimableTagCode(`tgt-${'a'.repeat(14)}`)).toBe(true);
    expect(isClaimableTagCode(`tgt-${'a'.repeat(13)}`)).toBe(false);
  });

  it.each(['x'.repeat(30), `tgt-${'a'.repeat(61)}`, `tgt-${'a'.repeat(13)}!`])('refuses %s', (code) => {
    expect(isClaimableTagCode(code)).toBe(false);
  });
});
