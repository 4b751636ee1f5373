import type { Page } from '@playwright/test';
import { countSubscriptions } from './support/count-subscriptions.ts';
import { openRow } from './support/open-row.ts';
import { expect, test } from './support/test.ts';

const threadOf = (page: Page, finder: string) => page.getByRole('button', { name: new RegExp(`^${finder}`) });

test('a link to a new message opens its conversation and no other, also on the item’s own page', async ({
  page,
  another,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  const [first, second] = [await another(), await another()];
  const write = async (finder: Page, body: string) => {
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByRole('log')).toContainText(body);
  };
  for (const [finder, body] of [
    [first, 'It is by the lake'],
    [second, 'It is at the desk'],
  ] as const) {
    await finder.goto(`/item/${code}`);
    await write(finder, body);
  }

  const subscriptions = countSubscriptions(page);
  await page.goto('/dashboard');
  await expect.poll(subscriptions).toBe(1);
  await write(first, 'I wait by the lake');
  const read = page.getByRole('link', { name: 'Read', exact: true });
  await read.click();
  await expect(threadOf(page, 'Finder 1')).toBeFocused();
  await expect(threadOf(page, 'Finder 1')).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText('I wait by the lake')).toBeInViewport({ ratio: 1 });
  await expect(threadOf(page, 'Finder 2')).toHaveAttribute('aria-expanded', 'false');
  await expect(threadOf(page, 'Finder 2')).toContainText('1 new');
  await expect(read).toBeHidden();

  // What the page was opened for is collapsed and out of view when the next message arrives there.
  await expect.poll(subscriptions).toBe(2);
  await threadOf(page, 'Finder 1').click();
  // A low window: the whole page fits on a desktop.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 400 });
  await page.getByRole('button', { name: 'Delete item' }).scrollIntoViewIfNeeded();
  await write(first, 'Are you coming?');
  await expect(threadOf(page, 'Finder 1')).toContainText('1 new');
  await expect(threadOf(page, 'Finder 1')).toHaveAttribute('aria-expanded', 'false');
  await read.focus();
  await page.keyboard.press('Enter');
  await expect(threadOf(page, 'Finder 1')).toBeFocused();
  await expect(page.getByText('Are you coming?')).toBeInViewport({ ratio: 1 });
  await expect(threadOf(page, 'Finder 2')).toHaveAttribute('aria-expanded', 'false');

  // A closed dialog does not lead there again.
  await page.getByRole('button', { name: 'Delete item' }).scrollIntoViewIfNeeded();
  await openRow(page, 'Stickers');
  const print = page.getByRole('button', { name: /^Print / });
  await print.click();
  const dialog = page.getByRole('dialog', { name: 'A sticker to print' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(print).toBeFocused();

  // The count on the dashboard leads to what is unread, although another conversation is the latest.
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await page.getByRole('link', { name: '1 new message', exact: true }).click();
  await expect(threadOf(page, 'Finder 2')).toBeFocused();
  await expect(page.getByText('It is at the desk')).toBeInViewport({ ratio: 1 });
  await expect(threadOf(page, 'Finder 1')).toHaveAttribute('aria-expanded', 'false');
});

test('a link to a conversation that was deleted says so', async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.rpc('send_message', { qr_id_param: code, body_param: 'I have it' }).throwOnError();
  await page.goto(`/item/${code}#thread-${crypto.randomUUID()}`);
  await expect(page.getByText('This conversation is no longer here.')).toBeInViewport();
  await expect(page.getByText('I have it', { exact: true })).toBeVisible();
});

test('a notice covers neither the reply that is being written nor its button', { tag: '@one-width' }, async ({
  page,
  another,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  await page.setViewportSize({ width: 360, height: 640 });
  const finder = await another();
  await finder.goto(`/item/${code}`);
  for (const body of ['I have it', 'It is wet', 'It is by the lake, under the third tree']) {
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByRole('log')).toContainText(body);
  }
  const subscriptions = countSubscriptions(page);
  await page.goto(`/item/${code}`);
  await expect.poll(subscriptions).toBe(1);
  const reply = page.getByLabel('Your reply to Finder 1');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await reply.tap();
  await reply.fill('On my way');
  // The title of the conversations is out of view, so a new message is announced.
  await send.evaluate((button) => button.scrollIntoView({ block: 'center' }));
  await finder.getByLabel('Your message').fill('Are you coming?');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  const notice = page.getByRole('dialog', { name: 'New message about My Tagged Item' });
  await expect(notice).toBeVisible();
  const [shown, field] = [await notice.boundingBox(), await reply.boundingBox()];
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(field?.y ?? 0);
  await expect(send).toBeInViewport({ ratio: 1 });
  await send.tap();
  await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('On my way');
});
