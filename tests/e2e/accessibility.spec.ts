import type { Page } from '@playwright/test';
import type { RunOnly } from 'axe-core';
import { brokenRules, SCREEN_RULES } from '#tests/support/broken-rules.ts';
import { noteShifts, shifts, slowDown, UNNOTICED, unreadableText } from './support/look-at-layout.ts';
import { SCREENS } from './support/screens.ts';
import { signInAs } from './support/sign-in-as.ts';
import { expect, test } from './support/test.ts';

/**
 * The screens that `npm test` looks at: each layout and each kind of form and dialog once. Every other screen and state is
 * made of the same parts, and is looked at in `npm run test:everything`.
 */
const IN_NPM_TEST: ReadonlySet<string> = new Set([
  ...['landing', 'not-found', 'sign-in', 'finder', 'finder-conversation', 'dashboard', 'owner'],
  ...['owner-deleting', 'profile', 'scanner', 'stickers-labels'],
]);
const CONTRAST: RunOnly = { type: 'rule', values: ['color-contrast'] };

/** Polled, because elements fixed over the page move a moment after the window's size has changed. */
function allCanBeRead(page: Page, how: string): Promise<void> {
  return expect.poll(() => unreadableText(page), { message: how }).toEqual([]);
}

/**
 * Returns the fields that do not say what the browser may fill in, what the Enter key of a touch keyboard does, or, for a
 * code of digits, which keyboard to show. Enter begins a new line in fields of several lines.
 */
function fieldsWithoutHints(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const typed = ':not([type])|text|search|email|tel|url|password|number'
      .split('|')
      .map((type) => (type.startsWith(':') ? `input${type}` : `input[type="${type}"]`))
      .join();
    const lacks = (field: Element) =>
      !field.hasAttribute('autocomplete') ||
      (field.matches('input') && !field.hasAttribute('enterkeyhint')) ||
      (field.matches('[autocomplete~="one-time-code"], [type="number"]') && !field.hasAttribute('inputmode'));
    return [...document.querySelectorAll(`${typed}, textarea`)]
      .filter((field) => field.checkVisibility() && !field.matches('[aria-hidden=true]') && lacks(field))
      .map(({ outerHTML }) => outerHTML);
  });
}

test.describe.configure({ mode: 'parallel' });

for (const screen of SCREENS) {
  test.describe(screen.name, () => {
    test.use({
      refusals: [...(screen.refusals ?? [])],
      contextOptions: { reducedMotion: 'reduce' },
      serviceWorkers: 'allow',
    });

    test('has a stable layout while it loads, is accessible, and can be read small, large, and from right to left', {
      tag: IN_NPM_TEST.has(screen.name) ? ['@one-width'] : ['@one-width', '@rest'],
    }, async ({ page, service, story }) => {
      if (screen.goesOffline !== true) await slowDown(page);
      await noteShifts(page);
      await signInAs(screen.as, page.context(), service.url, story);
      await screen.show(page, story);

      expect(await brokenRules(page, SCREEN_RULES)).toEqual([]);
      expect(await fieldsWithoutHints(page)).toEqual([]);
      const { sum, what } = await shifts(page);
      expect(sum, what).toBeLessThan(UNNOTICED);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Colours that are inherited change one level after the other; a list of all countries takes long to look at.
      await expect.poll(() => brokenRules(page, CONTRAST)).toEqual([]);

      // The narrowest phone; a window of 1280 pixels at 200%; text alone at twice the size.
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

      // The languages to come are written in either direction.
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '';
        document.documentElement.dir = 'rtl';
      });
      await allCanBeRead(page, 'from right to left');
    });
  });
}

test('every screen that npm test checks exists', { tag: '@one-width' }, () => {
  const names = SCREENS.map(({ name }) => name);
  expect([...IN_NPM_TEST].filter((name) => !names.includes(name))).toEqual([]);
});

test('a violation, a layout shift, and unreadable text would be found', { tag: '@one-width' }, async ({ page }) => {
  // In the first half second after its window got its size a browser calls no shift a surprise.
  const planted = `<!doctype html><html lang="en"><title>Planted</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <p style="width: 80px; overflow: hidden; white-space: nowrap">a line that is far too long for what it stands in</p>
    <p style="width: 900px; margin-top: -1.6em; white-space: nowrap">a line that lies over the one before it, and goes on</p>
    <p style="color: #aaa; background: #fff">pale</p><div id="late"></div><main style="height: 600px; background: #ccc">What is to be read.</main>
    <script>
      const paint = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
      paint(() => setTimeout(() => { late.style.height = '200px'; }, 1_000));
    </script>`;
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: planted }));
  await noteShifts(page);
  await page.goto('/planted');
  await expect.poll(async () => (await shifts(page)).sum).toBeGreaterThan(UNNOTICED);
  expect((await brokenRules(page, SCREEN_RULES)).join('\n')).toMatch(/^color-contrast: .*pale/m);
  const found = (await unreadableText(page)).join('\n');
  expect(found).toMatch(/the page is \d+ wide/);
  expect(found).toContain('cut off by');
  expect(found).toContain('lies over');
});
