import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { SCREENS } from './support/screens.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What breaks a rule, in words that a failing test can show. */
async function brokenRules(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe.withTags(RULES) : axe.withRules(rules)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

test.describe.configure({ mode: 'parallel' });

for (const screen of SCREENS) {
  test.describe(screen.name, () => {
    test.use({
      refusals: [...(screen.refusals ?? [])],
      contextOptions: { reducedMotion: 'reduce' },
      serviceWorkers: 'allow',
    });

    test('breaks no rule of accessibility, light or dark, and fits the narrowest phone', { tag: '@one-width' }, async ({
      page,
      service,
      story,
    }) => {
      if (screen.as !== 'nobody') {
        await signIn(page.context(), service.url, screen.as === 'owner' ? story.session : story.newcomer);
      }
      await screen.show(page, story);
      expect(await brokenRules(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await brokenRules(page, ['color-contrast'])).toEqual([]);

      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    });
  });
}
