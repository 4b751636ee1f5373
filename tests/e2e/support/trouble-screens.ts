import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const broken = (page: Page, address: string) =>
  page.route(address, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));

/** What the screens show when the connection or the service fails. */
export const TROUBLE_SCREENS: readonly Screen[] = [
  {
    name: 'dashboard-offline',
    as: 'owner',
    goesOffline: true,
    refusals: ['no connection'],
    async show(page) {
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'House keys' })).toBeVisible();
      await page.context().setOffline(true);
      await expect(page.getByText('You’re offline', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'dashboard-notice',
    as: 'newcomer',
    async show(page) {
      await page.goto('/dashboard');
      await page.getByRole('button', { name: 'Send the link again' }).click();
      await expect(page.getByText('The link is on its way')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Close' })).toBeVisible();
    },
  },
  {
    name: 'dashboard-left-slowly',
    as: 'owner',
    async show(page) {
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'House keys' })).toBeVisible();
      // The response never arrives.
      await page.route('**/rest/v1/profiles?**', () => {});
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByText('Loading...', { exact: true })).toBeAttached();
    },
  },
  {
    name: 'dashboard-stale',
    as: 'owner',
    refusals: [500],
    async show(page) {
      await page.goto('/dashboard');
      await page.getByRole('link', { name: /House keys/ }).click();
      await expect(page.getByText('This is your item')).toBeVisible();
      await broken(page, '**/rest/v1/items?**');
      await page.getByRole('link', { name: 'Return to Dashboard' }).click();
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'House keys' })).toBeVisible();
      await expect(page.getByText('Failed to load your items')).toBeVisible();
    },
  },
  {
    name: 'dashboard-failed',
    as: 'owner',
    refusals: [500],
    async show(page) {
      await broken(page, '**/rest/v1/**');
      await page.goto('/dashboard');
      await expect(page.getByRole('alert')).toContainText('Failed to load your items');
    },
  },
  {
    name: 'item-failed',
    as: 'owner',
    refusals: [500],
    async show(page, { codes }) {
      await broken(page, '**/rest/v1/items?**');
      await page.goto(`/item/${codes.keys}`);
      await expect(page.getByRole('alert')).toContainText('We couldn’t load this item');
    },
  },
  {
    name: 'profile-failed',
    as: 'owner',
    refusals: [500],
    async show(page) {
      await broken(page, '**/rest/v1/profiles?**');
      await page.goto('/profile');
      await expect(page.getByRole('alert')).toContainText('We couldn’t load your profile');
    },
  },
  {
    name: 'owner-answer-refused',
    as: 'owner',
    refusals: [404],
    async show(page, { codes }) {
      await page.route('**/rpc/send_reply', (route) =>
        route.fulfill({ status: 404, json: { code: 'PT404', message: 'No conversation of yours has this id' } }),
      );
      await page.goto(`/item/${codes.umbrella}`);
      await page.getByLabel('Your reply to Finder 1').fill('Into nowhere');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
      await expect(page.getByText('We couldn’t send your reply')).toBeVisible();
    },
  },
  {
    name: 'owner-photo-unreached',
    as: 'owner',
    refusals: [502],
    async show(page, { codes }) {
      await page.route('**/rest/v1/items?*', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
      );
      await page.goto(`/item/${codes.umbrella}`);
      await page.getByRole('button', { name: 'Edit item' }).click();
      await page.getByRole('button', { name: 'Remove the photo' }).click();
      await expect(page.getByText('Not saved yet: we can’t reach the server')).toBeVisible();
    },
  },
  {
    name: 'finder-cannot-send',
    as: 'nobody',
    refusals: [502],
    async show(page, { codes }) {
      await page.route('**/message', (route) => route.fulfill({ status: 502, body: '' }));
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('From the tunnel');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByText('We’re trying again...')).toBeVisible();
    },
  },
  {
    name: 'finder-unconfirmed',
    as: 'nobody',
    refusals: [503],
    async show(page, { codes, holdMessages }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('I left them at the desk.');
      const release = await holdMessages();
      // As without scripts, which would send it in the background.
      await page.getByLabel('Your message').evaluate((field: HTMLTextAreaElement) => field.form?.submit());
      await expect(page.getByRole('heading', { name: 'We couldn’t confirm that it worked' })).toBeVisible();
      await release();
    },
  },
];
