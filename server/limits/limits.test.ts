import { expect, test } from 'vitest';
import { figuresOf, LIMIT_NAMES } from './limits.ts';

test('a development server is never stricter than a real one', () => {
  for (const name of LIMIT_NAMES) {
    const [real, gentle] = [figuresOf(name, false), figuresOf(name, true)];
    expect(gentle.points / gentle.seconds, name).toBeGreaterThanOrEqual(real.points / real.seconds);
  }
});
