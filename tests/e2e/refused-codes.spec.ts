import type { Locator, Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import { refuseForGap } from './support/refuse-for-gap.ts';
import { newPhone, register } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [403, 422, 429, 500] });

const SPENT = 'Invalid verification code. After 5 wrong tries a code stops working. Resend it to get a new one.';
const EXPIRED =
  'Invalid verification code. A code works for 10 minutes, and this one has expired. Resend it to get a new one.';
const ADVICE = 'Use the code from our newest message. A code works once, for 10 minutes. Resend it to get a new one.';
const NOT_CHECKED = 'We couldn’t check the code. Please try again in a moment.';

interface CodeEntry {
  /** Where the field is. */
  readonly within: Page | Locator;
  /** Which requests bring the code to the service. */
  readonly to: string;
}

async function enter(page: Page, { within, to }: CodeEntry, digits: string): Promise<void> {
  await within.getByRole('textbox', { name: /code$|text message$/ }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  const response = page.waitForResponse(to);
  await page.keyboard.type(digits);
  await response;
}

/** Enters a code while the service fails, and then five wrong ones. */
async function useUp(page: Page, entry: CodeEntry): Promise<void> {
  const alert = entry.within.getByRole('alert');
  await page.route(entry.to, (route) => route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }));
  await enter(page, entry, '000000');
  await expect(alert).toHaveText(NOT_CHECKED);
  await page.unroute(entry.to);
  for (let wrong = 1; wrong < 5; wrong++) {
    await enter(page, entry, '000000');
    await expect(alert).toHaveText('Invalid verification code');
    await expect(entry.within.getByText(ADVICE)).toBeVisible();
  }
  await enter(page, entry, '000000');
  await expect(alert).toHaveText(SPENT);
  await expect(entry.within.getByText(ADVICE)).toBeHidden();
}

test('a registration says that its code has expired or is used up, and advises no other try', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.clock.install();
  const code = newTagCode();
  await register(page, `/auth/${code}`, `${code.slice(4).toLowerCase()}@example.com`, 'three keys', newPhone());
  const entry = { within: page, to: '**/auth/v1/verify' };
  await useUp(page, entry);
  await expect(page.getByText('Verification failed', { exact: true })).toBeVisible();
  await expect(page.getByText('Please try again.')).toBeHidden();
  await expect(page.getByRole('definition')).toHaveText(['Used up']);

  await page.clock.fastForward('01:01');
  await page.getByRole('button', { name: 'Resend code', exact: true }).click();
  await expect(page.getByText(/^Your new code is \d{6}$/)).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByRole('definition')).toHaveText([/^\d{6}$/, /^\d{6}$/]);

  await page.clock.fastForward('10:01');
  await expect(page.getByRole('definition')).toHaveText(['Expired']);
  await enter(page, entry, '000000');
  await expect(page.getByRole('alert')).toHaveText(EXPIRED);
  await expect(page.getByText('Verification failed', { exact: true })).toBeVisible();
});

test('the code of a new phone number is refused with a reason, and another one comes after a visible wait', {
  tag: ['@one-width', '@rest'],
}, async ({ page, outbox, newOwner }) => {
  await page.clock.install();
  await newOwner(page);
  const phone = newPhone();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change phone number' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change phone number' });
  await dialog.getByLabel('Phone number').fill(phone);
  await dialog.getByRole('button', { name: 'Send Code' }).click();
  await expect(dialog.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
  const entry = { within: dialog, to: '**/auth/v1/verify' };
  await useUp(page, entry);

  await page.clock.fastForward('01:01');
  const resend = dialog.getByRole('button', { name: 'Resend code', exact: true });
  await page.route('**/auth/v1/resend', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }),
  );
  await resend.click();
  await expect(page.getByText('We couldn’t send the code. Please try again.')).toBeVisible();
  await page.unroute('**/auth/v1/resend');
  // Requested in another tab since.
  await refuseForGap(page, '**/auth/v1/resend', 'over_sms_send_rate_limit');
  await resend.click();
  await expect(page.getByText('ask again in 42 s')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /Resend code in (4[0-2]|3\d) s/ })).toBeDisabled();
  await page.unroute('**/auth/v1/resend');

  await page.clock.fastForward('10:01');
  await enter(page, entry, '000000');
  await expect(dialog.getByRole('alert')).toHaveText(EXPIRED);
  await resend.click();
  await expect(page.getByText('A new code is on its way')).toBeVisible();
  await expect(dialog.getByRole('alert')).toBeHidden();
  const texts = async () => (await outbox()).filter(({ recipient }) => recipient === `+972${phone.slice(1)}`);
  await expect.poll(async () => (await texts()).length).toBe(2);
  await enter(page, entry, /\b\d{6}\b/.exec((await texts())[0]?.body ?? '')?.[0] ?? '');
  await expect(page.getByText('Verification successful', { exact: true })).toBeVisible();
});

test('signing in by phone says that its code has expired', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await page.clock.install();
  const { session } = await newOwner();
  await page.goto('/auth?mode=phone');
  await page.getByLabel('Phone number').fill(`+${session.user.phone}`);
  await page.getByRole('button', { name: 'Send Code' }).click();
  await expect(page.getByText('a 6-digit code is on its way')).toBeVisible();
  const entry = { within: page, to: '**/auth/v1/verify' };
  await enter(page, entry, '000000');
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code');
  await expect(page.getByText(ADVICE)).toBeVisible();
  await page.clock.fastForward('10:01');
  await enter(page, entry, '000000');
  await expect(page.getByRole('alert')).toHaveText(EXPIRED);
});

/** Enables the account's phone as a second factor. */
async function enrolPhone(client: SupabaseClient, phone: string, readCode: () => Promise<string>): Promise<void> {
  const { data: factor, error } = await client.auth.mfa.enroll({ factorType: 'phone', phone });
  if (error !== null) throw error;
  const { data: challenge, error: unsent } = await client.auth.mfa.challenge({ factorId: factor.id });
  if (unsent !== null) throw unsent;
  const { error: refused } = await client.auth.mfa.verify({
    factorId: factor.id,
    challengeId: challenge.id,
    code: await readCode(),
  });
  if (refused !== null) throw refused;
}

test('a texted second factor says that its code is over, that none was sent, and that a check failed', {
  tag: ['@one-width', '@rest'],
}, async ({ page, outbox, newOwner }) => {
  const { client, email, password } = await newOwner();
  const phone = `+972${newPhone().slice(1)}`;
  const newest = async () => (await outbox()).find(({ recipient }) => recipient === phone)?.body ?? '';
  const readCode = async () => /\b\d{6}\b/.exec(await newest())?.[0] ?? '';
  await enrolPhone(client, phone, readCode);
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const send = page.getByRole('button', { name: 'Send code' });
  await expect(send).toBeVisible();
  const alert = page.getByRole('alert');
  const isOver = 'That code has expired, or was tried too often. Send a new code.';

  // Of an earlier message: nothing is sent in its place.
  const before = await newest();
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(await readCode());
  await expect(alert).toHaveText('Send a code first. An earlier one doesn’t work here.');
  expect(await newest()).toBe(before);

  await page.route('**/challenge', (route) =>
    route.fulfill({ status: 429, json: { code: 'over_request_rate_limit' } }),
  );
  await send.click();
  await expect(page.getByText('Too many attempts. Please try again later.')).toBeVisible();
  await page.unroute('**/challenge');

  await send.click();
  await expect(page.getByText('The code is on its way')).toBeVisible();
  const entry = { within: page, to: '**/verify' };
  await page.route('**/verify', (route) => route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }));
  await enter(page, entry, '000000');
  await expect(alert).toHaveText(NOT_CHECKED);
  await page.unroute('**/verify');
  for (let wrong = 1; wrong <= 6; wrong++) {
    await enter(page, entry, '000000');
    await expect(alert).toHaveText(wrong < 5 ? /^That code isn’t right\. Check the text message/ : isOver);
  }

  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  const failures = [500, 429];
  await page.route('**/rpc/use_recovery_code', (route) => route.fulfill({ status: failures.shift() ?? 500, json: {} }));
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(alert).toHaveText(NOT_CHECKED);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(alert).toHaveText('Too many attempts. Please try again later.');
  await page.getByRole('button', { name: 'Use the authenticator app' }).click();

  const previous = await readCode();
  await send.click();
  await expect.poll(readCode).not.toBe(previous);
  await enter(page, entry, await readCode());
  await expect(page).toHaveURL(/\/dashboard/);
});
