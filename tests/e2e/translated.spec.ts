import type { Page } from '@playwright/test';
import { newPhone, register } from './support/register-owner.ts';
import { SCREENS } from './support/screens.ts';
import { serveInPieces } from './support/serve-in-pieces.ts';
import { signInAs } from './support/sign-in-as.ts';
import { expect, newTagCode, test } from './support/test.ts';
import { translatedNames, translatePages, type Way } from './support/translate-page.ts';

test.describe.configure({ mode: 'parallel' });

const KINDS: readonly Way[] = ['insert', 'replace', 'wrap'];

/** Fails where a visible text of the page was not replaced, so that nothing was tried. */
async function expectTranslated(page: Page): Promise<void> {
  await expect(page.locator('main [data-translated]').first()).toBeVisible();
}

test.describe('a refused sign-in', () => {
  test.use({ refusals: [400] });

  for (const way of KINDS) {
    test(`says so on a page whose texts another program replaces (${way})`, { tag: '@one-width' }, async ({ page }) => {
      await translatePages(page.context(), way);
      await page.goto('/auth?mode=login');
      await expectTranslated(page);
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not my password');
      const send = page.getByRole('button', { name: 'Sign In', exact: true });
      await send.click();
      await expect(page.getByText('Login failed. Please check your credentials.')).toBeVisible();
      await expect(send).toHaveText('Sign In');
    });
  }
});

test('what was typed before the page is interactive stays, although the browser translates it [K76]', {
  tag: '@one-width',
}, async ({ page }) => {
  await translatePages(page.context());
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/entry.client-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/auth?mode=login', { waitUntil: 'commit' });
  await expectTranslated(page);
  await page.getByLabel('Email').fill('maya@example.org');
  release();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue('maya@example.org');
});

for (const way of KINDS) {
  test(`a text that arrives in two pieces may be translated after the first (${way}) [K76]`, {
    tag: '@one-width',
  }, async ({ page, service }) => {
    const slow = await serveInPieces(service.url);
    await translatePages(page.context(), way);
    for (const path of ['/privacy', '/terms', '/faq']) {
      await page.goto(slow.url + path);
      await expectTranslated(page);
      // The app has taken over: it follows the link without loading a document.
      await page.getByRole('link', { name: 'Language' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Language' })).toBeVisible();
    }
    slow.close();
  });
}

test('an owner registers, tags, prints, and replies while the browser translates every page [K76]', {
  tag: '@one-width',
}, async ({ page, another }) => {
  await translatePages(page.context());
  const code = newTagCode();
  await register(page, `/${code}`, `${code.slice(4).toLowerCase()}@example.com`, 'three keys on a ribbon', newPhone());
  await expectTranslated(page);
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type('123456');
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'How may finders reach you?' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Umbrella' })).toBeVisible();

  const finder = await another();
  await translatePages(finder.context());
  await finder.goto(`/${code}`);
  await finder.getByRole('textbox').fill('I have your keys.');
  await finder.getByRole('button', { name: /send/i }).click();
  await expect(finder.getByRole('log')).toContainText('I have your keys.');

  // A message that arrives, and a counter that changes with each letter.
  await expect(page.getByText('I have your keys.')).toBeVisible();
  const reply = page.getByRole('textbox', { name: 'Your reply to Finder 1' });
  await reply.fill('Thank you');
  await expect(page.getByText('9/250', { exact: true })).toBeVisible();
  await reply.fill('Thank you!');
  await expect(page.getByText('10/250', { exact: true })).toBeVisible();
  await expect(page.getByText('9/250', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: /^Send/ }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Thank you!' })).toBeVisible();
  await expect(finder.getByRole('log')).toContainText('Thank you!');

  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await page.getByRole('button', { name: 'Scan QR to Tag New Item' }).first().click();
  const scanner = page.getByRole('dialog').filter({ has: page.getByRole('heading') });
  await expect(scanner).toBeVisible();
  await scanner.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Stickers', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
  await page.goBack();
  await page.goto('/item/new-item');
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: /Item Tagged!|sticker/ })).toBeVisible();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Maya Cohen');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('Profile updated!')).toBeVisible();
  await expect(page.getByText('Maya Cohen').first()).toBeVisible();
});

for (const screen of SCREENS) {
  test.describe(screen.name, () => {
    test.use({ refusals: [...(screen.refusals ?? [])], serviceWorkers: 'allow' });

    test('works while the browser translates it [K76]', { tag: ['@one-width', '@rest'] }, async ({
      page,
      service,
      story,
    }) => {
      await translatePages(page.context());
      await signInAs(screen.as, page.context(), service.url, story);
      await screen.show(page, story);
      await expect(page.getByText('Something went wrong')).toHaveCount(0);
      expect(await translatedNames(page)).toEqual([]);
    });
  });
}
