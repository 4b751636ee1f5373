import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { noteShifts, shifts, slowDown, unreadableText } from './support/look-at-layout.ts';
import { SCREENS } from './support/screens.ts';
import { signInAs } from './support/sign-in-as.ts';
import { expect, test } from './support/test.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a screen may move by itself, as a share of the window: less than anybody notices. */
const UNNOTICED = 0.02;

/** What breaks a rule, in words that a failing test can show. */
async function brokenRules(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe.withTags(RULES) : axe.withRules(rules)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** What stands over the page finds its place a moment after the window has changed. */
function allCanBeRead(page: Page, how: string): Promise<void> {
  return expect.poll(() => unreadableText(page), { message: how, timeout: 3_000 }).toEqual([]);
}

test.describe.configure({ mode: 'parallel' });

for (const screen of SCREENS) {
  test.describe(screen.name, () => {
    test.use({
      refusals: [...(screen.refusals ?? [])],
      contextOptions: { reducedMotion: 'reduce' },
      serviceWorkers: 'allow',
    });

    test('stands still while it loads, breaks no rule of accessibility, and can be read small and large', {
      tag: '@one-width',
    }, async ({ page, service, story }) => {
      if (screen.goesOffline !== true) await slowDown(page);
      await noteShifts(page);
      await signInAs(screen.as, page.context(), service.url, story);
      await screen.show(page, story);

      expect(await brokenRules(page)).toEqual([]);
      const { sum, what } = await shifts(page);
      expect(sum, what).toBeLessThan(UNNOTICED);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await brokenRules(page, ['color-contrast'])).toEqual([]);

      // The narrowest phone; a window of 1280 pixels at 200 %; text of twice the size alone.
      for (const size of [
        { width: 320, height: 700 },
        { width: 640, height: 400 },
      ]) {
        await page.setViewportSize(size);
        await allCanBeRead(page, `${size.width} px`);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      await allCanBeRead(page, 'text of twice the size');
    });
  });
}
