import { expect, test } from 'vitest';
import { describeLimits } from '#tools/limits-page/describe-limits.ts';
import { describeRealtimeLimits } from '#tools/limits-page/describe-realtime-limits.ts';
import { describeRetention } from '#tools/limits-page/describe-retention.ts';

test('docs/operate/limits.md is the table of the code (rewrite it with `npx vitest run tests/house/limits-page -u`)', async () => {
  await expect(describeLimits() + describeRealtimeLimits() + describeRetention()).toMatchFileSnapshot(
    '../../docs/operate/limits.md',
  );
});
