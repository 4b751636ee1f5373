import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const heading = (page: Page, name: string | RegExp) => expect(page.getByRole('heading', { name })).toBeVisible();

/** The screens on which an item changes hands, in their states. */
export const GIVING_SCREENS: readonly Screen[] = [
  {
    name: 'dashboard-offer',
    as: 'giver',
    async show(page) {
      await page.goto('/dashboard');
      await expect(page.getByText('Amit wants to give you Blue suitcase.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Items you gave away' })).toBeVisible();
    },
  },
  {
    name: 'giving',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.wallet}#give`);
      await page.getByRole('button', { name: 'Give to someone' }).click();
      await page.getByRole('button', { name: 'Send offer' }).click();
      await expect(page.getByText('We can’t send an offer to this address.')).toBeVisible();
    },
  },
  {
    name: 'giving-offered',
    as: 'giver',
    async show(page, { transfers }) {
      await page.goto(`/item/${transfers.offeredCode}#give`);
      await expect(page.getByText('You offered it to amit@example.com.')).toBeVisible();
    },
  },
  {
    name: 'offer',
    as: 'giver',
    async show(page, { transfers }) {
      await page.goto(`/offer/${transfers.offer}`);
      await expect(page.getByText('Amit wants to give you this item.')).toBeVisible();
    },
  },
  {
    name: 'offer-refused',
    as: 'giver',
    refusals: [413],
    async show(page, { transfers }) {
      await page.route('**/rpc/accept_offer', (route) =>
        route.fulfill({ status: 413, json: { code: 'PT413', message: 'No room' } }),
      );
      await page.goto(`/offer/${transfers.offer}`);
      await page.getByRole('button', { name: 'Accept' }).click();
      await expect(page.getByRole('alert')).toContainText('Your account has no room left');
    },
  },
  {
    name: 'offer-declined',
    as: 'giver',
    async show(page, { transfers }) {
      await page.route('**/rpc/decline_offer', (route) => route.fulfill({ status: 204 }));
      await page.goto(`/offer/${transfers.offer}`);
      await page.getByRole('button', { name: 'Decline' }).click();
      await heading(page, 'You declined');
    },
  },
  {
    name: 'offer-gone',
    as: 'giver',
    refusals: [404],
    async show(page, { transfers }) {
      await page.route('**/rpc/accept_offer', (route) =>
        route.fulfill({ status: 404, json: { code: 'PT404', message: 'Gone' } }),
      );
      await page.goto(`/offer/${transfers.offer}`);
      await page.getByRole('button', { name: 'Accept' }).click();
      await heading(page, 'This offer isn’t open to you');
    },
  },
  {
    name: 'offer-closed',
    as: 'giver',
    async show(page) {
      await page.goto(`/offer/${crypto.randomUUID()}`);
      await expect(page.getByText('You’re signed in with noa@example.com.')).toBeVisible();
    },
  },
  {
    name: 'offer-unproved',
    as: 'newcomer',
    async show(page, { transfers }) {
      await page.goto(`/offer/${transfers.offer}`);
      await expect(page.getByRole('link', { name: 'Your Profile' })).toBeVisible();
    },
  },
  {
    name: 'offer-to-visitor',
    as: 'nobody',
    async show(page, { transfers }) {
      await page.goto(`/offer/${transfers.offer}`);
      await heading(page, 'Someone wants to give you an item');
    },
  },
  {
    name: 'offer-failed',
    as: 'giver',
    refusals: [500],
    async show(page, { transfers }) {
      await page.route('**/rpc/list_transfers', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
      await page.goto(`/offer/${transfers.offer}`);
      await expect(page.getByText('We couldn’t load the offer')).toBeVisible();
    },
  },
  {
    name: 'given',
    as: 'giver',
    async show(page) {
      await page.goto('/given');
      await heading(page, 'Green scooter');
    },
  },
  {
    name: 'given-earlier',
    as: 'giver',
    async show(page) {
      await page.route('**/rpc/list_given_items*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), has_more: true } });
      });
      const before = new URLSearchParams({ before: '2100-01-01T00:00:00Z', id: crypto.randomUUID() });
      await page.goto(`/given?${before}`);
      await expect(page.getByRole('link', { name: 'Show earlier ones' })).toBeVisible();
    },
  },
  {
    name: 'given-deleting',
    as: 'giver',
    async show(page) {
      await page.goto('/given');
      await page.getByRole('button', { name: /^Delete .*Green scooter/ }).click();
      await heading(page, /^Delete .*Green scooter/);
    },
  },
  {
    name: 'given-empty',
    as: 'newcomer',
    async show(page) {
      await page.goto('/given');
      await expect(page.getByText('When someone accepts an item from you')).toBeVisible();
    },
  },
  {
    name: 'given-conversations',
    as: 'giver',
    async show(page, { transfers }) {
      await page.goto(`/given/${transfers.given}`);
      await expect(page.getByText('It leans on the bus stop.')).toBeVisible();
    },
  },
];
