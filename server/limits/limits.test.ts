import { expect, test } from 'vitest';
import { describeRealtimeLimits } from '#server/realtime/describe-limits.ts';
import { describeKept } from './describe-kept.ts';
import { describeLimits } from './describe-limits.ts';
import { figuresOf, LIMIT_NAMES } from './limits.ts';

test('docs/operate/limits.md is the table of the code (rewrite it with `npx vitest run server/http/limits -u`)', async () => {
  await expect(describeLimits() + describeRealtimeLimits() + describeKept()).toMatchFileSnapshot(
    '../../docs/operate/limits.md',
  );
});

test('a development server is never stricter than a real one', () => {
  for (const name of LIMIT_NAMES) {
    const [real, gentle] = [figuresOf(name, false), figuresOf(name, true)];
    expect(gentle.points / gentle.seconds, name).toBeGreaterThanOrEqual(real.points / real.seconds);
  }
});
