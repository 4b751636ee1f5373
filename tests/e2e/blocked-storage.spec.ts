import type { Page } from '@playwright/test';
import { expect, newTagCode, test } from './support/test.ts';

/** Blocks storage as browsers do on request: any access throws. */
async function blockStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
}

test('with cookies blocked an owner sees the owner’s page of an item at the item’s own URL', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { code, session } = await newOwner();
  await page.addInitScript((stored) => {
    localStorage.setItem('reunite_supabase_auth', stored);
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
  }, JSON.stringify(session));
  await page.goto(`/item/${code}`);
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  await expect(page).toHaveURL(`/item/${code}`);
});

test('with cookies blocked the pages without the app lead an owner to their items', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { session } = await newOwner();
  await page.addInitScript((stored) => {
    localStorage.setItem('reunite_supabase_auth', stored);
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
  }, JSON.stringify(session));
  for (const path of ['/', '/found']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Your items' })).toHaveAttribute('href', '/dashboard');
    await expect(page.getByRole('link', { name: 'Log In' })).toBeHidden();
    await expect(page).toHaveURL(path);
  }
});

test('with storage blocked every page works, and signing in lasts as long as the page', {
  tag: ['@one-width', '@rest'],
}, async ({ page, story, newOwner }) => {
  const { email, password, code } = await newOwner();
  await blockStorage(page);
  // A test fails when a page logs an error or throws.
  for (const [path, shown] of [
    ['/', /^Never lose/],
    ['/faq', /./],
    [`/auth/${newTagCode()}`, /./],
    [`/item/${story.codes.keys}`, /./],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: shown }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth/);
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('link', { name: /My Tagged Item/ }).click();
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
});
