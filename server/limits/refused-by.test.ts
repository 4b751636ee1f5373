import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectRefusals, noteRefusal, policyOf } from './refused-by.ts';

test('each of two requests at once gets the limits that refused it, each once', async () => {
  const request = (name: string) =>
    collectRefusals(async () => {
      noteRefusal({ name, points: 3, seconds: 60 });
      await pause(1);
      noteRefusal({ name, points: 3, seconds: 60 });
      noteRefusal({ name: 'all' });
    });
  const [first, second] = await Promise.all([request('first'), request('second')]);
  expect(policyOf(first)).toBe('"first";q=3;w=60, "all"');
  expect(policyOf(second)).toBe('"second";q=3;w=60, "all"');
});

test('outside of a request nothing is noted, and a request that no limit refuses has none', async () => {
  noteRefusal({ name: 'outside' });
  expect(await collectRefusals(async () => undefined)).toEqual([]);
});
