import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveTagCode } from './resolve-tag-code.ts';
import { isTagCode } from './tag-code.ts';

function resolve(address: string): string | null {
  return resolveTagCode(new URL(address, 'https://lost.example'));
}

describe('resolveTagCode', () => {
  it.each([
    // (1) any path segment beginning with tgt-
    ['/tgt-abc', 'tgt-abc'],
    ['/some/where/tgt-abc/else', 'tgt-abc'],
    ['/auth/tgt-abc', 'tgt-abc'],
    ['/tgt-abc?qr_id=other', 'tgt-abc'],
    // (2) the segment right after auth
    ['/auth/abc', 'abc'],
    ['/auth/abc?qr_id=other', 'abc'],
    ['/auth?qr_id=abc', 'abc'],
    ['/auth/?qr_id=abc', 'abc'],
    // (3) qr_id, (4) code, (5) qr
    ['/qr?qr_id=one&code=two&qr=three', 'one'],
    ['/qr?qr=three&code=two', 'two'],
    ['/qr?qr=three', 'three'],
    ['/?code=abc', 'abc'],
  ])('%s names %s', (address, code) => {
    expect(resolve(address)).toBe(code);
  });

  it.each([
    '.',
    ')',
    ').',
    ',',
    '!',
    '?!',
    '%22',
    '*',
    '%E2%80%9D',
    '%E3%80%82',
    '%E2%80%8B',
    '…',
    '>',
    ']',
    '%C2%A0',
    '/',
    "'s",
    '%E2%80%99s',
    '.html',
    '%3Cbr%3E',
    '%26gt;',
    '%0A%0ASent%20from%20my%20phone',
  ])('leaves out the mark after an address: %s [K91]', (mark) => {
    expect(resolve(`/tgt-abc${mark}`)).toBe('tgt-abc');
    expect(resolve(`/?code=tgt-abc${mark}`)).toBe('tgt-abc');
  });

  it('prefers a path segment with the prefix to the segment after auth', () => {
    expect(resolve('/auth/abc/tgt-def')).toBe('tgt-def');
  });

  it.each(['/', '/qr', '/auth', '/nothing/here', '/?ref=abc', '/qr?qr_id='])('%s names none', (address) => {
    expect(resolve(address)).toBeNull();
  });

  it('ignores segments that cannot be a code', () => {
    expect(resolve('/qr?qr_id=a%20b&code=abc')).toBe('abc');
    expect(resolve('/tgt-%2F%2Fevil?qr=abc')).toBe('abc');
    expect(resolve('/auth/%E0%A4%A?qr=abc')).toBe('abc');
  });

  it('never takes the code of a sign-in link for a tag', () => {
    expect(resolve('/auth/callback?code=0b1c2d3e-1111-4222-8333-444455556666')).toBeNull();
  });

  it('returns a code or null for any address', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (pathname, query) => {
        const code = resolveTagCode({ pathname, search: `?${query}` });
        if (code !== null) expect(isTagCode(code)).toBe(true);
      }),
    );
  });
});
