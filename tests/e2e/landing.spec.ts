import type { Page } from '@playwright/test';
import { expect, newTagCode, test } from './support/test.ts';
import { waitForScript } from './support/wait-for-script.ts';

/** Counts how often a page's entry animation has started. */
async function countArrivals(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { arrivals: 0 });
    addEventListener('animationstart', ({ animationName }) => {
      if (animationName === 'page-enter') Object.assign(window, { arrivals: Reflect.get(window, 'arrivals') + 1 });
    });
  });
  return () => page.evaluate(() => Reflect.get(window, 'arrivals'));
}

/** Returns the entry animation as parsed from our styles. */
async function arrivalOf(page: Page) {
  return page.getByRole('main').evaluate((main) => {
    const rules = Array.from(document.styleSheets).flatMap(({ cssRules }) => Array.from(cssRules));
    const keyframes = rules.find((rule) => rule instanceof CSSKeyframesRule && rule.name === 'page-enter');
    const { animationName, animationDuration } = getComputedStyle(main);
    return { animationName, seconds: Number.parseFloat(animationDuration), keyframes: keyframes?.cssText };
  });
}

test('every page works with a clock that is years ahead', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await page.clock.setFixedTime('2031-01-01T00:00:00Z');
  await page.goto('/faq');
  await expect(page.getByText(/^© \d{4} Reunite/)).toBeVisible();
  await waitForScript(page);
  // The page is at work: a link is followed without a new document.
  await page.evaluate(() => Object.assign(window, { isTheSame: true }));
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'isTheSame'))).toBe(true);
});

test('headline, three steps and the footer are as promised', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Never lose your belongings again' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reunite Now' })).toBeVisible();
  const works = page.getByRole('region', { name: 'How the product works' });
  await expect(works.getByRole('heading', { level: 3 })).toHaveText([
    'Tag Your Items',
    'Item Gets Found',
    'Get Connected',
  ]);
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText(`© ${new Date().getFullYear()} Reunite`);
  for (const [name, path] of [
    ['Privacy', '/privacy'],
    ['Terms', '/terms'],
    ['FAQ', '/faq'],
  ] as const) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', path);
  }
});

test('the header’s button replaces this page in the history, the hero’s comes after it', { tag: '@rest' }, async ({
  page,
}) => {
  await page.goto('/faq');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveURL('/');
  await page.getByRole('link', { name: 'Reunite Now' }).click();
  await expect(page).toHaveURL('/auth?mode=register');
  await page.goBack();
  await expect(page).toHaveURL('/');
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click();
  await expect(page).toHaveURL('/auth');
  await page.goBack();
  await expect(page).toHaveURL('/faq');
});

test('the hero leads to the sign-in on a browser that was signed in before', { tag: '@rest' }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  for (const _ of ['as a screen of the app', 'as a document']) {
    await expect(page.getByRole('link', { name: 'Reunite Now' })).toHaveAttribute('href', '/auth');
    await page.reload();
  }
});

test('a code in the address or in this tab leads both buttons to its registration', async ({ page }) => {
  const code = newTagCode();
  await page.goto(`/?qr_id=${code}`);
  await expect(page.getByText(`Sticker ${code} is ready to use.`)).toBeVisible();
  // What the server sends shows it before the script has kept it.
  await page.waitForFunction((kept) => sessionStorage.getItem('reunite_qr_id') === kept, code);
  for (const address of [`/?qr_id=${code}`, '/']) {
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'Register Item' })).toHaveAttribute('href', `/auth/${code}`);
    await expect(page.getByRole('link', { name: 'Reunite Now' })).toHaveAttribute('href', `/auth/${code}`);
  }
  // A generated link is a scan.
  await page.goto(`/?code=${code}`);
  await expect(page).toHaveURL(`/auth/${code}`);
});

test('the cards stand beside each other from 768 pixels on', async ({ page }) => {
  const columns = () =>
    page
      .getByRole('region', { name: 'How the product works' })
      .locator('ol')
      .evaluate((list) => {
        return getComputedStyle(list).gridTemplateColumns.split(' ').length;
      });
  await page.setViewportSize({ width: 767, height: 900 });
  await page.goto('/');
  expect(await columns()).toBe(1);
  await page.setViewportSize({ width: 768, height: 900 });
  expect(await columns()).toBe(3);
});

test('pages fade in and slide by 10 pixels in 0.3 seconds', async ({ page }) => {
  await page.goto('/faq');
  await waitForScript(page);
  const arrivals = await countArrivals(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
  await expect.poll(arrivals).toBe(1);
  const terms = await arrivalOf(page);
  expect(terms).toMatchObject({ animationName: 'page-enter', seconds: 0.3 });
  expect(terms.keyframes).toMatch(/opacity: 0;.*translate: 0px 10px|translate: 0px 10px;.*opacity: 0/s);

  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Never lose/ })).toBeVisible();
  await expect.poll(arrivals).toBe(2);
  expect(await arrivalOf(page)).toMatchObject({ animationName: 'page-enter', seconds: 0.3 });
});

test('shadows are those of the colors around them', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  const shadow = () =>
    page
      .getByRole('heading', { name: 'Welcome back' })
      .evaluate(() => getComputedStyle(document.querySelector('.shadow-raised') ?? document.body).boxShadow);
  await page.goto('/auth?mode=login');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  expect(await shadow()).toContain('rgba(16, 35, 30, 0.06)');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await shadow()).toContain('rgba(0, 0, 0, 0.4)');
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('pages appear without animation', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms' })).toBeVisible();
    expect((await arrivalOf(page)).seconds).toBeLessThan(0.001);
  });
});

test('the header leads a signed-in user to their items', { tag: '@one-width' }, async ({ page, newOwner }) => {
  await newOwner(page);
  // What the server sends, before any script.
  for (const path of ['/', '/found']) {
    const html = await (await page.request.get(path)).text();
    expect(html, path).toContain('>Your items</a>');
    expect(html, path).not.toContain('>Log In</a>');
  }
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Log In' })).toBeHidden();
  await page.getByRole('link', { name: 'Your items' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the page for typing a code leads a signed-in user to their items', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Can’t scan it? Enter the code' }).click();
  await expect(page).toHaveURL(/\/found$/);
  await expect(page.getByRole('link', { name: 'Log In' })).toBeHidden();
  await page.getByRole('link', { name: 'Your items' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
