import { expect, test } from 'vitest';
import { repeatedTaps } from './repeated-tap.ts';

const tap = {
  code: 'tgt-my-very-first-sticker',
  details: { kind: 'have_it', place: null, location: null },
  browser: ['192.0.2.1'],
  kept: [],
} as const;

const idsAt = (time: number) =>
  repeatedTaps({ secrets: { refreshTokenSecret: 'x'.repeat(32) }, now: () => Date.UTC(2026, 0, 1) + time })(tap);

test('a tap of the turn before is found again, and one of an earlier turn is another message', () => {
  expect(idsAt(10_001).before).toEqual(idsAt(9_999).now);
  expect(idsAt(9_999).now).toEqual(idsAt(0).now);
  const later = idsAt(20_000);
  for (const { messageId, finderKey } of [later.now, later.before]) {
    expect(messageId).not.toBe(idsAt(9_999).now.messageId);
    expect(finderKey).not.toBe(idsAt(9_999).now.finderKey);
    expect(finderKey).toMatch(/^[\w-]{32}$/);
  }
});
