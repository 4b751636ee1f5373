import type { Page } from '@playwright/test';
import { newPhone } from './support/register-owner.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 403] });

/**
 * A day cannot pass here, so the first request gets the service's response to an old session, which
 * tests/contract/auth/recent-proof.test.ts verifies. The proof and the following request reach the service.
 */
async function refuseOnce(page: Page, url: string, response: { status: number; code: string }): Promise<void> {
  const { status, code } = response;
  const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
  await page.route(url, (route) => route.fulfill({ status, headers, json: { code, message: 'too old' } }), {
    times: 1,
  });
}

const NEEDED = { status: 400, code: 'reauthentication_needed' };

test('an old session changes the phone after the password is entered, and continues by itself', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { password } = await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change phone number' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change phone number' });
  const phone = newPhone();
  await dialog.getByLabel('Phone number').fill(phone);
  await refuseOnce(page, '**/auth/v1/user', NEEDED);
  await dialog.getByRole('button', { name: 'Send Code' }).click();

  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel('Current password').fill('not the password');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByText('not your current password')).toBeVisible();
  await proof.getByLabel('Current password').fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
  await expect(dialog.getByText(phone.slice(-4))).toBeVisible();
});

test('a code replaces the password for the export of the account’s data', { tag: ['@one-width', '@rest'] }, async ({
  page,
  outbox,
  newOwner,
}) => {
  const { session } = await newOwner(page);
  await page.goto('/profile');
  await refuseOnce(page, '**/rest/v1/rpc/export_my_data', { status: 403, code: 'PT403' });
  await page.getByRole('button', { name: /^Download/ }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('button', { name: 'Use a code instead' }).click();
  await proof.getByRole('button', { name: 'Send code' }).click();
  await expect(proof.getByText('Enter the 6-digit code')).toBeVisible();
  const sms = async () => (await outbox()).find(({ recipient }) => recipient === `+${session.user.phone}`)?.body ?? '';
  const downloading = page.waitForEvent('download');
  await proof.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec(await sms())?.[0] ?? '');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await downloading;
  await expect(proof).toBeHidden();
});
