import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const PASSKEYS = [
  { id: '6a3f2f0e-6d0b-4b8e-9a52-0b8f6d7f1c11', friendly_name: 'Safari on iPhone', created_at: '2026-03-04T08:00:00Z' },
  {
    id: '6a3f2f0e-6d0b-4b8e-9a52-0b8f6d7f1c12',
    friendly_name: 'The security key in the drawer of my desk',
    created_at: '2026-05-06T08:00:00Z',
    last_used_at: '2026-10-12T08:00:00Z',
  },
];

/** The account has these passkeys, without a device that made them. */
const withPasskeys = (page: Page) => page.route('**/auth/v1/passkeys', (route) => route.fulfill({ json: PASSKEYS }));

/** Passkeys after a sign-in, in the settings, and at the second step. The sign-in form is among the others. */
export const PASSKEY_SCREENS: readonly Screen[] = [
  {
    name: 'dashboard-passkey-offer',
    as: 'giver',
    async show(page) {
      await page.addInitScript(() => {
        PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => true;
      });
      await page.goto('/dashboard');
      await expect(page.getByText(/^Next time, sign in with your fingerprint/)).toBeVisible();
    },
  },
  {
    name: 'profile-passkeys',
    as: 'owner',
    async show(page) {
      await withPasskeys(page);
      await page.goto('/profile/security');
      await expect(page.getByRole('button', { name: 'Remove Safari on iPhone' })).toBeVisible();
    },
  },
  {
    name: 'profile-renaming-passkey',
    as: 'owner',
    async show(page) {
      await withPasskeys(page);
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Rename Safari on iPhone' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename passkey' });
      await dialog.getByLabel('Name').fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByText('Name is required')).toBeVisible();
    },
  },
  {
    name: 'profile-removing-passkey',
    as: 'owner',
    async show(page) {
      await withPasskeys(page);
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Remove Safari on iPhone' }).click();
      await expect(page.getByRole('heading', { name: 'Remove Safari on iPhone?' })).toBeVisible();
    },
  },
  {
    name: 'second-step-passkey',
    as: 'halfway',
    async show(page) {
      await withPasskeys(page);
      await page.goto('/auth?mode=login');
      await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
    },
  },
];
