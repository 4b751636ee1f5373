import { expect, test } from 'vitest';
import { expectPage } from '#tests/support/expect-page.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openBrowser } from './support/open-browser.ts';

const database = await createTestDatabase();
const { url } = await startTestServer(database);
const visit = await openBrowser();
const { qrId } = await createItem(database, await createOwner(database));

test('a sent message is announced once, and shown on the page', async () => {
  await visit(async ({ page }) => {
    await page.goto(`${url}/item/${qrId}`);
    await page.getByLabel('Your message').fill('At the front desk');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByText('Anonymous message sent to owner')).toHaveCount(1);
    const announced = page.locator('[role=status], [role=alert], [aria-live]');
    expect((await announced.allTextContents()).filter((text) => text.includes('Anonymous message sent'))).toEqual([
      'Anonymous message sent to owner',
    ]);
    await expectPage(page.getByRole('log')).toContainText('At the front desk');
  });
});

test('invisible text is not a message, and does not count [D32]', async () => {
  await visit(async ({ page }) => {
    await page.goto(`${url}/item/${qrId}`);
    const input = page.getByLabel('Your message');
    await input.fill('\u00a0\u2003\u200b\u2060');
    await expectPage(page.getByText('0/250')).toBeVisible();
    await expectPage(page.getByRole('button', { name: 'Send Message' })).toBeDisabled();
    await input.fill(`\n  ${'🔑'.repeat(250)} \u200b`);
    await expectPage(page.getByText('250/250')).toBeVisible();
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByRole('log')).toContainText('🔑'.repeat(250));
  });
  const kept = await database.query('select body from public.messages order by created_at desc limit 1');
  expect(kept).toEqual([{ body: '🔑'.repeat(250) }]);
});
