import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();

/** Chooses a file of items as the owner would. */
export function chooseSheet(page: Page, csv: string | Buffer): Promise<void> {
  const file = { name: 'items.csv', mimeType: 'text/csv', buffer: typeof csv === 'string' ? Buffer.from(csv) : csv };
  return page.locator('input[accept*=csv]').setInputFiles(file);
}

/** The screens of an account: links from mails, the profile in its states, and its dialogs. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  {
    name: 'spreadsheet',
    as: 'owner',
    async show(page) {
      await page.goto('/spreadsheet');
      await heading(page, 'Items in a spreadsheet');
    },
  },
  {
    name: 'spreadsheet-preview',
    as: 'owner',
    async show(page) {
      await page.goto('/spreadsheet');
      const csv = 'Code;Name;Type;Reward\n;Drill;;A coffee\n;Keys;keys;\n;Tent;house;\nABC;Lamp;;\n';
      await chooseSheet(page, csv);
      await heading(page, 'What items.csv will change');
    },
  },
  {
    name: 'new-password',
    as: 'nobody',
    async show(page) {
      await page.goto(`/auth?reset=true#token_hash=${'a'.repeat(43)}&type=recovery`);
      await heading(page, 'Choose a new password');
    },
  },
  {
    name: 'reset-link-expired',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?reset=true#error=access_denied&error_code=otp_expired');
      await expect(page.getByText('This link no longer works')).toBeVisible();
    },
  },
  {
    name: 'callback-confirm',
    as: 'nobody',
    async show(page) {
      await page.goto(`/auth/callback#token_hash=${'a'.repeat(43)}&type=email`);
      await heading(page, 'Almost done');
    },
  },
  {
    name: 'callback-failed',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth/callback?error=access_denied');
      await heading(page, 'You’re not signed in');
    },
  },
  {
    name: 'not-mine',
    as: 'nobody',
    async show(page) {
      await page.goto(`/not-mine#token_hash=${'a'.repeat(43)}`);
      await heading(page, 'Not your account?');
    },
  },
  {
    name: 'not-mine-link-dead',
    as: 'nobody',
    async show(page) {
      await page.goto('/not-mine');
      await heading(page, 'This link no longer works');
    },
  },
  {
    name: 'debug',
    as: 'nobody',
    async show(page) {
      await page.goto('/test-redirect?qr_id=tgt-A-story-of-nothing-yet');
      await heading(page, 'Redirect test');
    },
  },
  {
    name: 'profile',
    as: 'owner',
    async show(page) {
      await page.goto('/profile');
      await heading(page, 'Your Profile');
    },
  },
  {
    name: 'profile-finders',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/finders');
      await expect(page.getByRole('switch', { name: 'WhatsApp' })).toBeVisible();
    },
  },
  {
    name: 'profile-notifications',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/notifications');
      await expect(page.getByRole('button', { name: 'Add an address' })).toBeVisible();
    },
  },
  {
    name: 'profile-security',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/security');
      await expect(page.getByText('This browser')).toBeVisible();
    },
  },
  {
    name: 'profile-data',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/data');
      await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible();
    },
  },
  {
    name: 'profile-quiet-hours',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/notifications');
      await page.getByRole('switch', { name: 'Quiet hours', exact: true }).click();
      await page.getByLabel('To', { exact: true }).fill('22:00');
      await page.getByRole('button', { name: 'Save quiet hours' }).click();
      await expect(page.getByText('Choose two different times.')).toBeVisible();
    },
  },
  {
    name: 'profile-address',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/notifications');
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByLabel('Kind').selectOption('ntfy');
      await page.getByRole('button', { name: 'Add an address' }).click();
      await expect(page.getByText('Give it a name of up to 40 characters.')).toBeVisible();
    },
  },
  {
    name: 'contact-invitation',
    as: 'nobody',
    async show(page, story) {
      await page.goto(await story.inviteContact());
      await heading(page, 'Be a second contact for Dana?');
    },
  },
  {
    name: 'contact-agreed',
    as: 'nobody',
    async show(page, story) {
      await page.goto(await story.inviteContact());
      await page.getByRole('button', { name: 'I agree' }).click();
      await heading(page, 'You’re a second contact for Dana');
    },
  },
  {
    name: 'contact-thread',
    as: 'nobody',
    async show(page, story) {
      await page.goto(await story.reachContact());
      await heading(page, 'A finder wrote: Blue backpack');
    },
  },
  {
    name: 'contact-replied',
    as: 'nobody',
    async show(page, story) {
      await page.goto(await story.reachContact());
      await page.getByLabel('Your reply').fill('Please leave it at the desk of the library.');
      await page.getByRole('button', { name: 'Send reply' }).click();
      await expect(page.getByText('Sent. The finder can read it on their page.')).toBeVisible();
    },
  },
  {
    name: 'contact-link-dead',
    as: 'nobody',
    refusals: [404],
    async show(page) {
      await page.goto('/contact/aaaaaaaaaaaaaaaaaaaaaa');
      await heading(page, 'This link no longer works');
    },
  },
  {
    name: 'profile-contacts',
    as: 'owner',
    async show(page, story) {
      await story.inviteContact();
      await page.goto('/profile/contacts');
      await expect(page.getByText('Invited. We won’t contact them again until they agree.')).toBeVisible();
    },
  },
  {
    name: 'profile-edit',
    as: 'owner',
    async show(page) {
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await page.getByLabel('Full name').fill(' ');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Full name is required')).toBeVisible();
    },
  },
  {
    name: 'profile-pending',
    as: 'newcomer',
    async show(page) {
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill('noam.katz@example.com');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Open the link we sent to noam.katz@example.com')).toBeVisible();
      await expect(page.getByText('open the link we sent to noam@example.com')).toBeVisible();
      // Asked for once: another code can't be had within a minute.
      const waits = page.getByText('Enter the code we sent to +972521234568');
      if (!(await waits.isVisible())) {
        await page.getByRole('button', { name: 'Change phone number' }).click();
        await page.getByRole('dialog').getByLabel('Phone number').fill('0521234568');
        await page.getByRole('button', { name: 'Send Code' }).click();
        await expect(page.getByText('Verification code')).toBeVisible();
        await page.getByRole('dialog', { name: 'Change phone number' }).getByRole('button', { name: 'Close' }).click();
      }
      await expect(waits).toBeVisible();
    },
  },
  {
    name: 'profile-password',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('button', { name: 'Save Password' }).click();
      await expect(page.getByText('Password is required')).toHaveCount(2);
    },
  },
  {
    name: 'profile-proof-used-up',
    as: 'owner',
    refusals: [403, 422],
    async show(page) {
      // As in a session of days ago, whose code was entered wrongly until it stopped working.
      const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
      await page.route('**/rpc/export_my_data', (route) =>
        route.fulfill({ status: 403, json: { code: 'PT403', message: 'Sign in again first' } }),
      );
      await page.route('**/auth/v1/reauthenticate', (route) => route.fulfill({ json: {} }));
      await page.route('**/auth/v1/user', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 422, headers, json: { code: 'reauthentication_not_valid', message: 'no' } })
          : route.continue(),
      );
      await page.goto('/profile/data');
      await page.getByRole('button', { name: /^Download/ }).click();
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
      await proof.getByRole('button', { name: 'Use a code instead' }).click();
      await proof.getByRole('button', { name: 'Send code' }).click();
      for (let wrong = 1; wrong <= 5; wrong++) {
        const response = page.waitForResponse('**/auth/v1/user');
        await proof.getByRole('textbox').first().focus();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type('000000');
        await response;
        await expect(proof.getByRole('alert')).toBeVisible();
      }
      await expect(proof.getByRole('alert')).toContainText('After 5 wrong tries a code stops working.');
    },
  },
  {
    name: 'profile-phone',
    as: 'owner',
    async show(page) {
      await page.goto('/profile');
      await page.getByRole('button', { name: 'Change phone number' }).click();
      await heading(page, 'Change phone number');
    },
  },
  {
    name: 'profile-authenticator',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/security');
      await page.getByRole('button', { name: 'Add an authenticator app' }).click();
      await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    },
  },
  {
    name: 'profile-delete',
    as: 'owner',
    async show(page) {
      await page.goto('/profile/data');
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await heading(page, 'Delete your account?');
      await page.getByRole('button', { name: 'Delete Forever' }).click();
      await expect(page.getByText('Please type DELETE')).toBeVisible();
    },
  },
];
