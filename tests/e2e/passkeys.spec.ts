import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { tabTo } from './support/keyboard.ts';
import { signInOnScreen } from './support/sign-in-on-screen.ts';
import { expect, test } from './support/test.ts';
import { addVirtualAuthenticator } from './support/virtual-authenticator.ts';

test.use({ refusals: [400, 401, 403] });

/** The user of a virtual authenticator takes every suggestion at once. Without them the button is the only way. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

test('a passkey is added, renamed, signs in on the sign-in form, and is removed', { tag: '@one-width' }, async ({
  page,
  another,
  newOwner,
}) => {
  await newOwner(page);
  const device = await addVirtualAuthenticator(page);
  await page.goto('/profile/security');
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  expect(await device.count()).toBe(1);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible();

  await page.getByRole('button', { name: /^Rename / }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' });
  await dialog.getByLabel('Name').fill(' ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('My phone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Remove My phone' })).toBeVisible();

  const elsewhere = await another();
  await withoutSuggestions(elsewhere);
  await device.copyTo(await addVirtualAuthenticator(elsewhere));
  await elsewhere.goto('/auth?mode=login');
  await elsewhere.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(elsewhere).toHaveURL(/\/dashboard/);
  await expect(elsewhere.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();

  await page.reload();
  await expect(page.getByText(/^Last used on /)).toBeVisible();
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await elsewhere.goto('/profile/security');
  await expect(elsewhere).toHaveURL(/\/auth/);
  await elsewhere.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(elsewhere.getByText('We don’t know this passkey.')).toBeVisible();
});

test('a passkey proves anew who it is, in place of the password', { tag: '@one-width' }, async ({ page, newOwner }) => {
  await newOwner(page);
  await addVirtualAuthenticator(page);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await page.goto('/profile/data');
  const refusal = { status: 403, json: { code: 'PT403', message: 'too old' } };
  await page.route('**/rest/v1/rpc/export_my_data', (route) => route.fulfill(refusal), { times: 1 });
  await page.getByRole('button', { name: /^Download/ }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const downloading = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await downloading;
});

test('the browser suggests a passkey for the address', { tag: '@one-width' }, async ({ page, another, newOwner }) => {
  await newOwner(page);
  const device = await addVirtualAuthenticator(page);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();

  const elsewhere = await another();
  await device.copyTo(await addVirtualAuthenticator(elsewhere));
  await elsewhere.goto('/auth?mode=login');
  await expect(elsewhere.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(elsewhere).toHaveURL(/\/dashboard/);
});

test('a passkey stands for the second step, and ends the sign-in that waited for it', { tag: '@one-width' }, async ({
  page,
  another,
  newOwner,
}) => {
  const { email, password, client } = await newOwner(page);
  const device = await addVirtualAuthenticator(page);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (error !== null) throw error;
  const code = new TOTP({ secret: data.totp.secret }).generate();
  const shown = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  expect(shown.error).toBeNull();

  const elsewhere = await another();
  await withoutSuggestions(elsewhere);
  await device.copyTo(await addVirtualAuthenticator(elsewhere));
  await elsewhere.goto('/auth?mode=login');
  await elsewhere.getByLabel('Email').fill(email);
  await elsewhere.getByLabel('Password', { exact: true }).fill(password);
  await elsewhere.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(elsewhere.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await elsewhere.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(elsewhere).toHaveURL(/\/dashboard/);
  const { data: sessions } = await client.rpc('list_sessions');
  expect(sessions).toHaveLength(2);
});

test('a passkey is offered after a sign-in, and signs in the next time', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { email, password } = await newOwner();
  await withoutSuggestions(page);
  const device = await addVirtualAuthenticator(page);
  await signInOnScreen(page, email, password);
  const add = page.getByRole('button', { name: 'Add a passkey' });
  await expect(add).toBeVisible();
  await page.reload();
  await tabTo(page, add);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Passkey added')).toBeVisible();
  expect(await device.count()).toBe(1);
  await expect(add).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goto('/profile/security');
  await expect(page.getByRole('button', { name: /^Rename / })).toHaveCount(1);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/auth/);
  await page.goto('/auth?mode=login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
});

test('a passkey that was not wanted is not offered again in this browser, but to another account', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const first = await newOwner();
  const second = await newOwner();
  await withoutSuggestions(page);
  await addVirtualAuthenticator(page);
  await signInOnScreen(page, first.email, first.password);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText(/^Next time, sign in with your fingerprint/)).toHaveCount(0);

  for (const { email, password, isOffered } of [
    { ...first, isOffered: false },
    { ...second, isOffered: true },
    // It was shown, and not answered.
    { ...second, isOffered: false },
  ]) {
    await page.context().clearCookies();
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (!key.includes('_passkey_offer_')) localStorage.removeItem(key);
    });
    const isAsked = page.waitForResponse('**/rest/v1/rpc/list_account_changes');
    await signInOnScreen(page, email, password);
    await isAsked;
    await page.waitForLoadState('networkidle');
    await expect(page.getByText(/^Next time, sign in with your fingerprint/)).toHaveCount(isOffered ? 1 : 0);
  }
});

test('where the browser has no passkeys, nothing speaks of them', { tag: '@one-width' }, async ({ page, newOwner }) => {
  const { email, password } = await newOwner();
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await page.goto('/auth?mode=login');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await expect(page.getByText(/passkey/i)).toHaveCount(0);
  await signInOnScreen(page, email, password);
  await page.goto('/profile/security');
  await expect(page.getByText('This browser')).toBeVisible();
  await expect(page.getByText(/passkey/i)).toHaveCount(0);
});

test('a suggestion that the browser cannot make says nothing', { tag: '@one-width' }, async ({ page }) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    navigator.credentials.get = () => {
      document.documentElement.dataset.refused = '';
      return Promise.reject(new DOMException('There are no passkeys here.', 'NotSupportedError'));
    };
  });
  await page.goto('/auth?mode=login');
  await expect(page.locator('[data-refused]')).toHaveCount(1);
  const notice = page.getByText('The passkey didn’t work.');
  // A notice would be shown within the time of a request for its code.
  await expect(notice.waitFor({ timeout: 1000 })).rejects.toThrow('Timeout');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(notice).toBeVisible();
});
