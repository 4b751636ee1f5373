import { rm } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LANGUAGE_COOKIE } from '#domain/language-list.ts';
import { brokenRules, SCREEN_RULES } from '#tests/support/broken-rules.ts';
import { makeClusterFolder } from '#tests/support/clusters/cluster-folder.ts';
import { unreadableText } from './support/look-at-layout.ts';
import { findInPseudoLanguage } from './support/pseudo-language/find-in-pseudo-language.ts';
import { REPLACED } from './support/pseudo-language/pseudo-messages.ts';
import { startPseudoService } from './support/pseudo-language/start-pseudo-service.ts';
import { untranslatedTexts } from './support/pseudo-language/untranslated-texts.ts';
import { SCREENS } from './support/screens.ts';
import { signInAs } from './support/sign-in-as.ts';
import { seedStory } from './support/story.ts';
import { expect, test } from './support/test.ts';

/** A name contains the words on its button only where what makes both longer is not between them. */
const CHANGED_BY_LENGTH = /^label-content-name-mismatch/;
/** Its step chooses a file whose columns have English names. */
const LEFT_OUT = 'spreadsheet-preview';

/** For a step that finds nothing: the other screens are looked at as well. */
const STEP_MS = 15_000;

test('every screen is accessible, has messages alone, and cuts none off, when they are long and from right to left', {
  tag: ['@one-width', '@rest'],
}, async ({ browser, contextOptions }) => {
  // One test, because building the pages once more takes longer than looking at all of them.
  test.setTimeout(1_800_000);
  const folder = await makeClusterFolder();
  const { service, end } = await startPseudoService(folder);
  const found: Record<string, readonly string[]> = {};
  try {
    const story = await seedStory(service);
    for (const screen of SCREENS.filter(({ name }) => name !== LEFT_OUT)) {
      await test.step(screen.name, async () => {
        const context = await browser.newContext({
          ...contextOptions,
          baseURL: service.url,
          locale: REPLACED,
          reducedMotion: 'reduce',
          serviceWorkers: 'allow',
          viewport: { width: 320, height: 700 },
        });
        // A service worker's script is requested without the browser's emulated languages.
        await context.addCookies([{ name: LANGUAGE_COOKIE, value: REPLACED, url: service.url }]);
        await signInAs(screen.as, context, service.url, story);
        const page = await context.newPage();
        page.setDefaultTimeout(STEP_MS);
        findInPseudoLanguage(page);
        const lost = await screen.show(page, story).then(
          () => [],
          (error: unknown) => [String(error)],
        );
        const problems = [...lost, ...(await whatIsWrong(page))];
        if (problems.length > 0) found[screen.name] = problems;
        await context.close();
      });
    }
  } finally {
    await end();
    await rm(folder, { recursive: true, force: true });
  }
  expect(found).toEqual({});
});

async function whatIsWrong(page: Page): Promise<string[]> {
  // Notices that follow one another lie over each other for a moment.
  await expect
    .poll(() => unreadableText(page), { timeout: STEP_MS })
    .toEqual([])
    .catch(() => {});
  return [
    ...(await unreadableText(page)),
    ...(await untranslatedTexts(page)),
    ...(await brokenRules(page, SCREEN_RULES)).filter((problem) => !CHANGED_BY_LENGTH.test(problem)),
  ];
}
