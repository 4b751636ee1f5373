import type { Page } from '@playwright/test';
import { refuseForGap } from './support/refuse-for-gap.ts';
import { newPhone } from './support/register-owner.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 403, 422, 429, 500] });

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
  await page.goto('/profile/data');
  await refuseOnce(page, '**/rest/v1/rpc/export_my_data', { status: 403, code: 'PT403' });
  await page.getByRole('button', { name: /^Download/ }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('button', { name: 'Use a code instead' }).click();
  await proof.getByRole('button', { name: 'Send Code' }).click();
  await expect(proof.getByText('Enter the 6-digit code')).toBeVisible();
  const sms = async () => (await outbox()).find(({ recipient }) => recipient === `+${session.user.phone}`)?.body ?? '';
  const downloading = page.waitForEvent('download');
  await proof.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec(await sms())?.[0] ?? '');
  await downloading;
  await expect(proof).toBeHidden();
});

test('a code for a recent proof says when it is used up or has expired, and another one can be sent', {
  tag: ['@one-width', '@rest'],
}, async ({ page, outbox, newOwner }) => {
  await page.clock.install();
  const { session } = await newOwner(page);
  await page.goto('/profile/data');
  await refuseOnce(page, '**/rest/v1/rpc/export_my_data', { status: 403, code: 'PT403' });
  await page.getByRole('button', { name: /^Download/ }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('button', { name: 'Use a code instead' }).click();
  await proof.getByRole('button', { name: 'Send code' }).click();
  await expect(proof.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();

  const alert = proof.getByRole('alert');
  const enter = async (digits: string) => {
    const response = page.waitForResponse('**/auth/v1/user');
    await proof.getByRole('textbox').first().focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(digits);
    await response;
  };
  await page.route('**/auth/v1/user', (route) => route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }));
  await enter('000000');
  await expect(alert).toHaveText('We couldn’t check the code. Please try again in a moment.');
  await page.unroute('**/auth/v1/user');
  for (let wrong = 1; wrong < 5; wrong++) {
    await enter('000000');
    await expect(alert).toHaveText('Invalid verification code');
    await expect(proof.getByText('Use the code from our newest message.')).toBeVisible();
  }
  await enter('000000');
  await expect(alert).toHaveText(/After 5 wrong tries a code stops working\. Resend it to get a new one\.$/);

  await page.clock.fastForward('10:01');
  await enter('000000');
  await expect(alert).toHaveText(/A code works for 10 minutes, and this one has expired\. Resend it/);
  await proof.getByRole('button', { name: 'Resend code', exact: true }).click();
  await expect(page.getByText('A new code is on its way')).toBeVisible();
  await expect(alert).toBeHidden();
  await expect(proof.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();

  const texts = async () => (await outbox()).filter(({ recipient }) => recipient === `+${session.user.phone}`);
  // One of the registration, and two of this proof.
  await expect.poll(async () => (await texts()).length).toBe(3);
  const downloading = page.waitForEvent('download');
  await enter(/\b\d{6}\b/.exec((await texts())[0]?.body ?? '')?.[0] ?? '');
  await downloading;
  await expect(proof).toBeHidden();
});

test('a code for a recent proof that was just sent can be entered after the dialog was closed', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/profile/data');
  await refuseOnce(page, '**/rest/v1/rpc/export_my_data', { status: 403, code: 'PT403' });
  await page.getByRole('button', { name: /^Download/ }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('button', { name: 'Use a code instead' }).click();
  await refuseForGap(page, '**/auth/v1/reauthenticate', 'over_sms_send_rate_limit');
  await proof.getByRole('button', { name: 'Send code' }).click();
  await expect(proof.getByText(/We already sent you a code\. .* in (4[0-2]|3\d) s\./)).toBeVisible();
  await expect(proof.getByRole('textbox', { name: 'Confirmation code' })).toBeFocused();
  await expect(proof.getByRole('button', { name: /Resend code in (4[0-2]|3\d) s/ })).toBeDisabled();
});
