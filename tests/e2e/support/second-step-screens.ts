import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();

/** Signing in with a second factor, and the profile of a user who has one. */
export const SECOND_STEP_SCREENS: readonly Screen[] = [
  {
    name: 'second-step',
    as: 'halfway',
    async show(page) {
      await page.goto('/auth?mode=login');
      await heading(page, 'One more step');
    },
  },
  {
    name: 'second-step-recovery',
    as: 'halfway',
    async show(page) {
      await page.goto('/auth?mode=login');
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(page.getByText('Recovery code is required')).toBeVisible();
    },
  },
  {
    name: 'profile-with-second-step',
    as: 'careful',
    async show(page) {
      await page.goto('/profile/security');
      await expect(page.getByRole('button', { name: 'Remove Authenticator app' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
    },
  },
  {
    name: 'profile-removing-second-step',
    as: 'careful',
    async show(page) {
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
      await heading(page, 'Remove Authenticator app?');
    },
  },
  {
    name: 'profile-recovery-codes',
    as: 'careful',
    async show(page) {
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Make new recovery codes' }).click();
      await heading(page, 'Save your recovery codes');
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10);
    },
  },
  {
    name: 'profile-delete-second-step',
    as: 'careful',
    refusals: [403],
    async show(page) {
      // As where the second step was made long ago.
      await page.route('**/rpc/delete_my_account', (route) =>
        route.fulfill({ status: 403, json: { code: 'PT403', message: 'Sign in again first' } }),
      );
      await page.goto('/profile/data');
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await page.getByLabel('Type DELETE to confirm').fill('DELETE');
      await page.getByRole('button', { name: 'Delete Forever' }).click();
      await expect(page.getByText('Enter the 6-digit code from your authenticator app.')).toBeVisible();
    },
  },
];
