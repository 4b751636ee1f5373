import type { Page } from '@playwright/test';
import { queryDatabase } from '#tests/support/query-database.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 403] });

async function confirmIt(page: Page, password: string): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel('Current password').fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
}

test('an old session deletes an item, turns notices off, and invites a second contact once the password is entered', {
  tag: '@one-width',
}, async ({ page, service, newOwner }) => {
  const { client, session, password } = await newOwner(page);
  const code = 'tgt-an-item-that-is-deleted-soon';
  await client.rpc('register_qr_code', { qr_id_param: code, user_id_param: session.user.id }).throwOnError();
  const item = { qr_id: code, user_id: session.user.id, item_type: 'keys', item_name: 'Old keys' };
  await client.from('items').insert(item).throwOnError();
  const age = () =>
    queryDatabase(service, "update auth.sessions set proved_at = now() - interval '25 hours' where user_id = $1", [
      session.user.id,
    ]);

  await age();
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Delete item' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await confirmIt(page, password);
  await expect(page).toHaveURL(/\/dashboard$/);

  await age();
  await page.goto('/profile/notifications');
  const reminder = page.getByRole('switch', { name: 'Reminder by email after a day' });
  await reminder.click();
  await confirmIt(page, password);
  await expect(reminder).not.toBeChecked();

  await age();
  await page.goto('/profile/contacts');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByLabel('Who to invite').fill('friend@example.com');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await confirmIt(page, password);
  await expect(page.getByRole('list', { name: 'Your second contacts' })).toContainText('friend@example.com');

  // Both are in the list of recent changes, from which the contact is removed.
  await page.goto('/profile/security');
  const changes = page.locator('#changes');
  await expect(changes.getByRole('list', { name: 'What happened' })).toContainText('You invited a second contact');
  await changes.getByRole('button', { name: 'Remove Second contact friend@example.com' }).click();
  await expect(changes.getByRole('list', { name: 'Added in the last 30 days' })).toBeHidden();
  await page.goto('/profile/contacts');
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  await expect(page.getByText('friend@example.com')).toBeHidden();
});
