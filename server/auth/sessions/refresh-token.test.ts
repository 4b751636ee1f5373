import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRefreshTokens } from './refresh-token.ts';

const tokens = createRefreshTokens('a secret');

test('a token round-trips, and is always the same for the same place', () => {
  const places = fc.record({ sessionId: fc.uuid(), counter: fc.nat({ max: 0xff_ff_ff_ff }) });
  fc.assert(
    fc.property(places, (place) => {
      expect(tokens.read(tokens.make(place))).toEqual({ outcome: 'ours', place });
      expect(tokens.make(place)).toBe(tokens.make(place));
    }),
  );
});

test('a token with any one character changed is not ours', () => {
  const token = tokens.make({ sessionId: randomUUID(), counter: 3 });
  for (let at = 0; at < token.length; at += 1) {
    for (const letter of ['A', 'b', '7', '_', '=']) {
      if (token[at] === letter) continue;
      expect(tokens.read(token.slice(0, at) + letter + token.slice(at + 1)).outcome).not.toBe('ours');
    }
  }
});

test('text that is no token is malformed, or foreign where it has the form of an older server’s', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(tokens.read(text).outcome).not.toBe('ours');
    }),
  );
  expect(tokens.read('abcdef123456').outcome).toBe('foreign');
  const token = tokens.make({ sessionId: randomUUID(), counter: 0 });
  for (const other of [` ${token}`, `${token}\n`, `${token}==`, token.replaceAll('-', '+').concat('+')]) {
    expect(tokens.read(other).outcome).toBe('malformed');
  }
});

test('a token of a server with another secret is foreign', () => {
  const other = createRefreshTokens('another secret');
  expect(tokens.read(other.make({ sessionId: randomUUID(), counter: 0 }))).toEqual({ outcome: 'foreign' });
});
