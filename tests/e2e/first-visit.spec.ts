import type { Page } from '@playwright/test';
import { press, type } from './support/keyboard.ts';
import { proveAddress } from './support/prove-address.ts';
import { newPhone, register, registerOwner } from './support/register-owner.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { standInPush } from './support/stand-in-push.ts';
import { expect, newTagCode, test } from './support/test.ts';

const PASSWORD = 'three keys on a ribbon';
const WHAT = 'It’s tagged. What is it?';
const REACH = 'How may finders reach you?';
const NEWS = 'Know when it’s found';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const emailOf = (code: string) => `${code.slice(4).toLowerCase()}@example.com`;

/** The button that goes on is whole on the screen, below nothing, and nothing was scrolled for it. */
async function reachesWithoutScrolling(page: Page, name: string): Promise<void> {
  await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  const isUncovered = (element: HTMLElement) => {
    const { left, bottom, width } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, bottom - 2));
  };
  await expect.poll(() => button(page, name).evaluate(isUncovered)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
}

for (const size of [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
]) {
  test(`from a scanned sticker to protected in three steps, each with its button on a screen of ${size.width} × ${size.height}`, {
    tag: size.width === 390 ? ['@one-width'] : ['@one-width', '@rest'],
  }, async ({ page, another, service }) => {
    await page.setViewportSize(size);
    await standInPush(page, { permission: 'default', decision: 'granted' });
    const code = newTagCode();
    await registerOwner(page, code, emailOf(code), PASSWORD);

    await expect(title(page, WHAT)).toBeVisible();
    await expect(page.getByText('Step 1 of 3')).toBeVisible();
    await expect(page.getByText('No sticker yet?')).toBeHidden();
    await expect(page.getByText('Signing up allows')).toBeHidden();
    await reachesWithoutScrolling(page, 'Continue');
    await page.getByRole('radio', { name: 'Keys' }).check();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Keys');
    await page.getByLabel('Name', { exact: true }).fill('Keys of the boat');
    await button(page, 'Continue').click();

    await expect(title(page, REACH)).toBeFocused();
    await expect(page.getByText('Step 2 of 3')).toBeVisible();
    await reachesWithoutScrolling(page, 'Continue');
    await expect(page.getByRole('radio', { name: 'Messages, calls, WhatsApp, and email' })).toBeChecked();
    await page.getByRole('radio', { name: 'Messages only' }).check();
    await button(page, 'Continue').click();

    await expect(title(page, NEWS)).toBeFocused();
    await expect(page.getByText('Step 3 of 3')).toBeVisible();
    await reachesWithoutScrolling(page, 'Done');
    await expect(page.getByText(`Open the link we sent to ${emailOf(code)}.`)).toBeVisible();
    await button(page, 'Turn on').click();
    await expect(page.getByRole('heading', { name: 'Notifications are on' })).toBeVisible();
    // The link is opened elsewhere, and the owner comes back.
    const userId = await page.evaluate(() => JSON.parse(localStorage.getItem('reunite_supabase_auth') ?? '').user.id);
    await proveAddress(service, userId);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
    await button(page, 'Done').click();

    await expect(title(page, 'Keys of the boat')).toBeVisible();
    await expect(page).toHaveURL(`/item/${code}`);
    const finder = await another();
    await finder.goto(`/${code}`);
    await expect(finder.getByRole('heading', { name: 'Keys of the boat' })).toBeVisible();
    await expect(finder.getByRole('button', { name: 'Send Message' })).toBeVisible();
    await expect(finder.getByRole('button', { name: 'Call' })).toBeHidden();

    // It is over, here and on another visit.
    await page.reload();
    await expect(title(page, 'Keys of the boat')).toBeVisible();
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
    await expect(button(page, 'Messages only')).toBeHidden();
  });
}

test('from nothing to protected: tag, print, and the two other steps', { tag: '@one-width' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const email = emailOf(newTagCode());
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Reunite Now' })).toHaveAttribute('href', '/auth?mode=register');
  await register(page, '/auth?mode=register', email, PASSWORD);
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type('123456');
  await expect(page).toHaveURL('/item/new-item');
  await expect(page.getByText('Step 1 of 3')).toBeVisible();
  await reachesWithoutScrolling(page, 'Tag Item');
  await page.getByRole('radio', { name: 'Bike' }).check();
  await button(page, 'Tag Item').click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('button').first()).toHaveText('Print a sticker');
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(title(page, REACH)).toBeVisible();
  await expect(page.getByText('Step 2 of 3')).toBeVisible();
  await button(page, 'Continue').click();
  await button(page, 'Done').click();
  await expect(title(page, 'Bike')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Needs a sticker' })).toBeVisible();
  // The second item is no first visit.
  await page.goto('/item/new-item');
  await expect(page.getByRole('heading', { name: 'What are you tagging?' })).toBeVisible();
  await expect(page.getByText('Step 1 of')).toBeHidden();
});

test('what is typed and chosen in a step survives a reload, and each Back leads to the step before', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  await page.getByRole('radio', { name: 'Bike' }).check();
  await page.getByLabel('Name', { exact: true }).fill('Red bike');
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Red bike');
  await expect(page.getByRole('radio', { name: 'Bike' })).toBeChecked();
  await button(page, 'Continue').click();
  await page.getByRole('radio', { name: 'Messages only' }).check();
  await page.reload();
  await expect(title(page, REACH)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Messages only' })).toBeChecked();
  await page.goBack();
  await expect(title(page, 'What is it?')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Red bike');
  await page.goForward();
  await expect(page.getByRole('radio', { name: 'Messages only' })).toBeChecked();
  await button(page, 'Continue').click();
  await expect(title(page, NEWS)).toBeVisible();
  await button(page, 'Previous step').click();
  // One may change one’s mind.
  await page.getByRole('radio', { name: 'Messages, calls, WhatsApp, and email' }).check();
  await button(page, 'Continue').click();
  await expect(title(page, NEWS)).toBeVisible();
  const { data } = await client.from('profiles').select('call_enabled, email_enabled, message_enabled').single();
  expect(data).toEqual({ call_enabled: true, email_enabled: true, message_enabled: true });
  await button(page, 'Previous step').click();
  await button(page, 'Previous step').click();
  await expect(title(page, 'What is it?')).toBeVisible();
});

test('each step can be skipped, once, and an item that was lost has more urgent things to say', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const mark = (lost_at: string | null) => client.from('items').update({ lost_at }).eq('qr_id', code).throwOnError();
  await mark('2026-01-01T00:00:00Z');
  await page.goto(`/item/${code}`);
  await expect(page.getByRole('button', { name: 'I have it back' })).toBeInViewport();
  await expect(title(page, WHAT)).toBeHidden();
  await mark(null);
  await page.reload();

  await button(page, 'Continue').click();
  await expect(page.getByText('Please select an item type or enter a custom item name')).toBeVisible();
  await skipFirstVisit(page);
  await expect(page.getByRole('button', { name: 'Edit item' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit item' })).toBeVisible();
  await expect(title(page, WHAT)).toBeHidden();
});

test.describe('without a connection', () => {
  test.use({ refusals: ['no connection'] });

  test('a step waits, says so, and is saved once when the connection is back', { tag: '@one-width' }, async ({
    page,
    newOwner,
  }) => {
    const { client, code } = await newOwner(page);
    await page.goto(`/item/${code}`);
    await page.getByRole('radio', { name: 'Umbrella' }).check();
    await page.context().setOffline(true);
    await button(page, 'Continue').click();
    await expect(page.getByText('You’re offline. We’ll try again as soon as you’re connected.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(title(page, REACH)).toBeVisible();
    const { data } = await client.from('items').select('item_type, item_name').single();
    expect(data).toEqual({ item_type: 'umbrella', item_name: 'Umbrella' });
  });
});

test('the three steps with the keyboard alone', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  const code = newTagCode();
  await registerOwner(page, code, emailOf(code), PASSWORD, newPhone());
  await expect(title(page, WHAT)).toBeVisible();
  await type(page, page.getByLabel('Name', { exact: true }), 'Lantern');
  await page.keyboard.press('Enter');
  await expect(title(page, REACH)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Messages only' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(title(page, NEWS)).toBeFocused();
  await press(page, button(page, 'Done'));
  await expect(title(page, 'Lantern')).toBeVisible();
});
