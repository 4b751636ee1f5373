import type { Page } from '@playwright/test';
import { proveAddress } from './support/prove-address.ts';
import { refuseForGap } from './support/refuse-for-gap.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 403, 422, 429, 500, 501] });

const newer = 'nineteen green bicycles';

/** Requests the code for signing in by phone. */
async function requestPhoneCode(page: Page, phone: string): Promise<void> {
  await page.goto('/auth?mode=phone');
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Send Code' }).click();
  await expect(page.getByText('a 6-digit code is on its way')).toBeVisible();
}

test('a forgotten password is reset by the emailed link, which signs out every other session', async ({
  page,
  another,
  outbox,
  newOwner,
  service,
}) => {
  const { email, password, session } = await newOwner();
  await proveAddress(service, session.user.id);
  const elsewhere = await another();
  await signIn(elsewhere.context(), service.url, session);

  await page.goto('/auth?mode=login');
  // What is typed before the script runs is only read when the form is submitted.
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(/\/auth\?mode=reset$/);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Email').fill('');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText('Password reset email sent successfully')).toBeVisible();

  const letter = async () =>
    (await outbox()).find((entry) => entry.recipient === email && entry.body.includes('reset=true#token_hash='));
  await expect.poll(letter).toBeDefined();
  const link = /https?:\/\/\S+#token_hash=\S+/.exec((await letter())?.body ?? '')?.[0] ?? '';
  const { pathname, search, hash } = new URL(link);
  expect(pathname + search).toBe('/auth?reset=true');

  await page.goto(pathname + search + hash);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  // A password that the service refuses is followed by another one, with the same link.
  const field = page.getByLabel('New password', { exact: true });
  for (const [refused, why] of [
    [password, 'That’s already your password. Choose a different one.'],
    ['password', 'Password is known to be weak and easy to guess, please choose a different one.'],
  ] as const) {
    await field.fill(refused);
    await page.getByRole('button', { name: 'Save Password' }).click();
    await expect(field).toHaveAccessibleDescription(new RegExp(`^${why}`));
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toBeFocused();
  }
  await field.fill(newer);
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);

  await elsewhere.goto('/profile');
  await expect(elsewhere).toHaveURL(/\/auth/);

  // The link worked once.
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto(pathname + search + hash);
  await page.getByRole('button', { name: 'Suggest a strong password' }).click();
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('This link no longer works')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();

  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(newer);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Successfully signed in!')).toBeVisible();
});

test('an address that is not confirmed leads to signing in by phone', { tag: ['@one-width', '@rest'] }, async ({
  page,
  outbox,
  newOwner,
}) => {
  const { email, session } = await newOwner();
  await page.goto('/auth?mode=reset');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const letter = async () =>
    (await outbox()).find(({ recipient, body }) => recipient === email && body.includes('mode=phone'))?.body ?? '';
  await expect.poll(letter).toContain('/auth?mode=phone');
  const phone = `+${session.user.phone}`;
  await requestPhoneCode(page, phone);
  const texts = async () => (await outbox()).filter(({ recipient }) => recipient === phone);
  await page.getByRole('textbox').first().focus();
  // One of the registration, and this one, which may be sent after the response.
  await expect.poll(async () => (await texts()).length).toBe(2);
  await page.keyboard.type(/\b\d{6}\b/.exec((await texts())[0]?.body ?? '')?.[0] ?? '');
  await expect(page).toHaveURL(/\/dashboard/);
});

test('signing in by phone distinguishes a code that was not checked, is wrong, or is used up', {
  tag: ['@one-width', '@rest'],
}, async ({ page, outbox, newOwner }) => {
  const { session } = await newOwner();
  const phone = `+${session.user.phone}`;
  await requestPhoneCode(page, phone);
  const enter = async (code: string) => {
    await page.getByRole('textbox').first().click();
    await page.keyboard.type(code);
  };
  const refusal = (text: string) => page.getByText(text, { exact: true });

  await page.route('**/auth/v1/verify**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'no' } }),
  );
  await enter('000000');
  await expect(refusal('We couldn’t check the code. Please try again in a moment.')).toBeVisible();
  await page.unroute('**/auth/v1/verify**');

  const spent = 'Invalid verification code. After 5 wrong tries a code stops working. Resend it to get a new one.';
  for (const tries of [1, 2, 3, 4, 5]) {
    const response = page.waitForResponse('**/auth/v1/verify**');
    await enter(`00000${tries}`);
    expect((await response).status()).toBe(403);
    await expect(refusal(tries < 5 ? 'Invalid verification code' : spent)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Resend code or change the number' }).click();
  await expect(page.getByLabel('Phone number')).toHaveValue(phone);
  expect((await outbox()).filter(({ recipient }) => recipient === phone).length).toBeGreaterThan(0);
});

test('a second request within the gap keeps the code form, and says when the next one is possible', {
  tag: '@one-width',
}, async ({ page, outbox, newOwner }) => {
  const { session } = await newOwner();
  const phone = `+${session.user.phone}`;
  await requestPhoneCode(page, phone);
  await page.getByRole('button', { name: 'Resend code or change the number' }).click();
  await refuseForGap(page, '**/auth/v1/otp**', 'over_sms_send_rate_limit');
  await page.getByRole('button', { name: 'Send Code' }).click();
  await expect(page.getByText(/You just asked for this\. .* in \d+ s\./)).toBeVisible();
  await expect(page.getByLabel('Phone number')).toBeHidden();

  const texts = async () => (await outbox()).filter(({ recipient }) => recipient === phone);
  // One of the registration, and this one, which may be sent after the response.
  await expect.poll(async () => (await texts()).length).toBe(2);
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec((await texts())[0]?.body ?? '')?.[0] ?? '');
  await expect(page).toHaveURL(/\/dashboard/);
});

test('a reset link that was just requested is no failure: the form says when the next one is possible', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.goto('/auth?mode=reset');
  await page.getByLabel('Email').fill('nobody-here@example.com');
  const send = page.getByRole('button', { name: 'Send Reset Link' });
  await refuseForGap(page, '**/auth/v1/recover**', 'over_email_send_rate_limit');
  await send.click();
  await expect(page.getByRole('alert')).toHaveText(/You just asked for this\. .* in \d+ s\./);
  await expect(page.getByText('Failed to send reset email')).toBeHidden();
});

test('a request that the service cannot serve is reported in an alert and a toast', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.route('**/auth/v1/recover**', (route) =>
    route.fulfill({ status: 501, json: { code: 'unexpected_failure', message: 'no' } }),
  );
  await page.goto('/auth?mode=reset');
  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText('Failed to send reset email', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText('Failed to send reset email.');
});

test('a link that was already used says so, and offers another', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await page.goto('/auth?reset=true#error=access_denied&error_code=otp_expired');
  await expect(page.getByText('This link no longer works')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
});
