import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expect, test } from './support/test.ts';

// 401: a session that ended elsewhere.
test.use({ refusals: [400, 401, 403, 422, 500] });

const newer = 'nineteen green bicycles';

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** What the authenticator app would show now; a code is accepted once, so each call waits for the next. */
function authenticator(secret: string): () => string {
  const totp = new TOTP({ secret });
  let step = 0;
  return () => {
    // The service takes the code of one step ahead, too.
    step = Math.max(step + 1, Math.floor(Date.now() / 30_000));
    return totp.generate({ timestamp: step * 30_000 });
  };
}

/** Six digits that an authenticator app shows neither now nor soon before or after. */
function wrongCode(secret: string): string {
  const totp = new TOTP({ secret });
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (token) => totp.validate({ token, window: 2 }) === null,
    ) ?? ''
  );
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(code);
}

test('a password is changed with the current one, and the old one no longer works', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { email, password } = await newOwner(page);
  const elsewhere = await another();
  await signIn(elsewhere, email, password);
  await expect(elsewhere).toHaveURL(/\/dashboard/);

  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('password');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /^Password is known to be weak/,
  );
  await page.getByLabel('New password', { exact: true }).fill(newer);
  await page.getByLabel('Current password').fill('not the one');
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('That’s not your current password')).toBeVisible();
  await page.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible();

  await elsewhere.goto('/profile/security');
  await expect(elsewhere).toHaveURL(/\/auth/);
  await signIn(elsewhere, email, password);
  await expect(elsewhere.getByRole('alert')).toHaveText('Login failed. Please check your credentials.');
  await signIn(elsewhere, email, newer);
  await expect(elsewhere).toHaveURL(/\/profile/);
});

test('a second factor is enrolled, required at sign-in, replaced by a recovery code, and removed', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, context, newOwner }) => {
  const { email, password } = await newOwner(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the app on this device' })).toHaveAttribute(
    'href',
    /^otpauth:\/\/totp\/.*[?&]secret=/,
  );
  await page.getByRole('button', { name: 'Copy key' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  const nextCode = authenticator(secret);
  await enterCode(page, wrongCode(secret));
  await expect(page.getByText(/That code isn’t right/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(nextCode());

  await expect(page.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible();
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('reunite-recovery-codes.txt');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();

  // On another device the password alone is not enough.
  const elsewhere = await another();
  await signIn(elsewhere, email, password);
  await expect(elsewhere.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await elsewhere.goto('/profile/security');
  await expect(elsewhere).toHaveURL(/\/auth/);
  await expect(elsewhere.getByRole('heading', { name: 'One more step' })).toBeVisible();
  // The factors cannot be loaded at first.
  await elsewhere.route('**/auth/v1/user', (route) => route.fulfill({ status: 403, json: { code: 'no' } }));
  const notLoaded = elsewhere.waitForResponse((response) => response.status() === 403);
  await elsewhere.reload();
  await notLoaded;
  await elsewhere.unroute('**/auth/v1/user');
  await enterCode(elsewhere, nextCode());
  await expect(elsewhere.getByText('Successfully signed in!')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/profile/);

  // A recovery code works once.
  const third = await another();
  await signIn(third, email, password);
  await third.getByRole('button', { name: 'Use a recovery code' }).click();
  await third.getByRole('button', { name: 'Verify' }).click();
  await expect(third.getByText('Recovery code is required')).toBeVisible();
  await third.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await third.getByRole('button', { name: 'Verify' }).click();
  await expect(third.getByText(/it was already used/)).toBeVisible();
  await third.getByLabel('Recovery code').fill(codes[0] ?? '');
  await third.getByRole('button', { name: 'Verify' }).click();
  await expect(third).toHaveURL(/\/dashboard/);
  await page.reload();
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();

  // Each other session is ended by itself, then all at once.
  const lines = page.getByRole('list').filter({ hasText: 'This browser' }).getByRole('listitem');
  await expect(lines).toHaveCount(3);
  await page
    .getByRole('button', { name: /^Sign out of / })
    .first()
    .click();
  await expect(page.getByText('That device is signed out')).toBeVisible();
  await expect(lines).toHaveCount(2);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('You’re signed out everywhere else')).toBeVisible();
  await expect(lines).toHaveCount(1);
  await third.goto('/profile/security');
  await expect(third).toHaveURL(/\/auth/);

  // A deletion that fails after the second factor says so.
  const refusals = [403, 500];
  await page.route('**/rpc/delete_my_account', (route) =>
    route.fulfill({ status: refusals.shift() ?? 500, json: { code: 'PT403', message: 'Sign in again first' } }),
  );
  await page.goto('/profile/data');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete your account?' });
  await deletion.getByLabel('Type DELETE to confirm').fill('DELETE');
  await deletion.getByRole('button', { name: 'Delete Forever' }).click();
  await deletion.getByRole('button', { name: 'Use a recovery code' }).click();
  await deletion.getByLabel('Recovery code').fill(codes[1] ?? '');
  await deletion.getByRole('button', { name: 'Verify' }).click();
  await expect(deletion.getByText('We couldn’t delete your account.')).toBeVisible();

  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Removed')).toBeVisible();
  await expect(page.getByText('Off', { exact: true })).toBeVisible();
  // From now on the password is the proof of identity.
  await page.route('**/rpc/export_my_data', (route) =>
    route.fulfill({ status: 403, json: { code: 'PT403', message: 'too old' } }),
  );
  await page.goto('/profile/data');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await expect(page.getByRole('dialog').getByLabel('Current password')).toBeVisible();
});

test('everything about the account is one file', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
  const { email, code } = await newOwner(page);
  await page.goto('/profile/data');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('reunite-my-data.json');
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({
    account: { email },
    items: [{ qr_id: code, item_name: 'My Tagged Item' }],
  });
});

test('an account is deleted with a typed word and the password, and is gone', async ({ page, another, newOwner }) => {
  const { email, password, code } = await newOwner(page);
  await page.goto('/profile/data');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('button', { name: 'Delete Forever' }).click();
  await expect(dialog.getByText('Please type DELETE')).toBeVisible();
  await expect(dialog.getByText('Password is required')).toBeVisible();
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByLabel('Your password').fill('not the one');
  await dialog.getByRole('button', { name: 'Delete Forever' }).click();
  await expect(dialog.getByText('That’s not your password')).toBeVisible();
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Delete Forever' }).click();
  await expect(page.getByText('Your account is deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  await signIn(page, email, password);
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please check your credentials.');
  const finder = await another();
  await finder.goto(`/${code}`);
  await expect(finder).toHaveURL(new RegExp(`/auth/${code}`));
});
