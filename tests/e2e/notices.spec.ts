import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 403] });

/** Whether one lies over the other, in a window that shows both. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (a === null || b === null) throw new Error('One of them is not shown.');
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const scrollTo = (element: Locator, block: ScrollLogicalPosition) =>
  element.evaluate((target, where) => target.scrollIntoView({ block: where }), block);

/** A switch whose change the service refuses, which a notice says. */
const reminder = (page: Page) => page.getByRole('switch', { name: 'Reminder by email after a day', exact: true });

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const) {
  test(`a notice covers neither what was pressed nor the field in use: ${width} × ${height}`, {
    tag: '@one-width',
  }, async ({ page, newOwner }) => {
    await page.setViewportSize({ width, height });
    await newOwner(page);
    await page.goto('/profile/notifications');
    await page.getByRole('switch', { name: 'Quiet hours', exact: true }).click();
    const field = page.getByLabel('From', { exact: true });
    await expect(field).toBeVisible();
    await page.route('**/rest/v1/notice_settings**', (route) =>
      route.fulfill({ status: 400, json: { code: 'P0001', message: 'no' } }),
    );
    const notice = page.getByRole('dialog').filter({ hasText: 'We couldn’t save that' });

    for (const block of ['end', 'start'] as const) {
      await scrollTo(reminder(page), block);
      await reminder(page).click();
      await expect(notice).toBeVisible();
      await expect.poll(() => overlap(notice, reminder(page)), `pressed at the ${block} of the window`).toBe(false);
      await expect(reminder(page), 'what was pressed stays in view').toBeInViewport({ ratio: 1 });
      await field.focus();
      await scrollTo(field, block);
      await expect.poll(() => overlap(notice, field), `a field at the ${block} of the window`).toBe(false);
      await expect(notice, 'it was there all the time').toBeVisible();
    }

    await reminder(page).click();
    await expect(notice).toBeVisible();
    await page.route('**/rest/v1/notice_settings**', (route) =>
      route.fulfill({ status: 403, json: { code: 'PT403', message: 'no' } }),
    );
    await page.getByRole('switch', { name: 'Email about each message', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await expect.poll(() => overlap(notice, dialog), 'a dialog that opens').toBe(false);
    await expect(notice, 'it was there all the time').toBeVisible();
  });
}

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const) {
  test(`the page makes room for a notice, which covers no text and no control of it: ${width} × ${height}`, {
    tag: '@one-width',
  }, async ({ page, newOwner }) => {
    await page.setViewportSize({ width, height });
    await newOwner(page);
    await page.goto('/profile/notifications');
    await expect(reminder(page)).toBeChecked();
    await page.route('**/rest/v1/notice_settings**', (route) =>
      route.fulfill({ status: 400, json: { code: 'P0001', message: 'no' } }),
    );
    const first = page.locator('body').locator('header, main').first();
    const region = page.getByRole('region', { name: 'Notifications' });
    await scrollTo(first, 'start');
    const { seen } = await look(page);
    expect(seen.length).toBeGreaterThan(2);

    await reminder(page).evaluate((element: HTMLElement) => element.click());
    await expect(region.getByRole('dialog')).toBeVisible();
    await expect.poll(async () => (await look(page)).covered, { timeout: 3_000 }).toEqual([]);
    const began = await first.boundingBox();
    const notices = await region.boundingBox();
    expect(began?.y, 'the page begins where the notice ends').toBe(notices?.height);

    await region.getByRole('button', { name: 'Close' }).click();
    await expect(region.getByRole('dialog')).toHaveCount(0);
    await expect.poll(async () => (await first.boundingBox())?.y, 'the room is taken back').toBe(0);
  });
}

/** The texts and controls of the page that are in view, and those of them that notices lie upon. */
function look(page: Page): Promise<{ readonly seen: string[]; readonly covered: string[] }> {
  return page.evaluate(() => {
    const notices = [...document.querySelectorAll('[role=region] [role=dialog]')];
    const seen = [
      ...document.querySelectorAll('header, header a, header button, main :is(h1, h2, p, a, button, label)'),
    ]
      .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 1 && box.bottom > 0 && box.top < innerHeight);
    const covered = seen.filter(({ box }) =>
      notices.some((notice) => {
        const { top, bottom, left, right } = notice.getBoundingClientRect();
        return box.left < right && left < box.right && box.top < bottom - 1 && top + 1 < box.bottom;
      }),
    );
    const textOf = ({ text }: { readonly text: string }) => text;
    return { seen: seen.map(textOf), covered: covered.map(textOf) };
  });
}

test('a notice that is given twice is shown once at every moment', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/profile/notifications');
  await expect(reminder(page)).toBeChecked();
  await page.route('**/rest/v1/notice_settings**', (route) =>
    route.fulfill({ status: 400, json: { code: 'P0001', message: 'no' } }),
  );
  await reminder(page).click();
  const notice = page.getByRole('dialog').filter({ hasText: 'We couldn’t save that' });
  await expect(notice).toBeVisible();
  await page.evaluate(() => {
    const count = () => [...document.querySelectorAll('[role=dialog]')].length;
    document.body.dataset.most = String(count());
    new MutationObserver(() => {
      document.body.dataset.most = String(Math.max(Number(document.body.dataset.most), count()));
    }).observe(document.body, { childList: true, subtree: true });
  });
  const refused = page.waitForResponse('**/rest/v1/notice_settings**');
  await reminder(page).click();
  await refused;
  await expect(reminder(page)).toBeChecked();
  await expect(page.locator('body')).toHaveAttribute('data-most', '1');
});
