import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const see = async (page: Page, tab: string) => {
  await page.goto(`/operate?see=${tab}`);
  await expect(page.getByRole('heading', { name: 'Console' })).toBeVisible();
};

/** The console. */
export const OPERATE_SCREENS: readonly Screen[] = [
  ...['service', 'reports', 'stickers', 'desks', 'deliveries', 'returns'].map(
    (tab): Screen => ({ name: `operate-${tab}`, as: 'careful', show: (page) => see(page, tab) }),
  ),
  {
    name: 'operate-desk',
    as: 'careful',
    async show(page) {
      await see(page, 'desks');
      await page.getByRole('button', { name: 'Add a desk' }).click();
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
    },
  },
  {
    name: 'operate-accounts',
    as: 'careful',
    async show(page, { email }) {
      await see(page, 'accounts');
      await page.getByLabel('Email address, phone number, or ID').fill(email);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible();
    },
  },
  {
    name: 'operate-deleting',
    as: 'careful',
    async show(page, { email }) {
      await see(page, 'accounts');
      await page.getByLabel('Email address, phone number, or ID').fill(email);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog', { name: 'Delete' })).toBeVisible();
    },
  },
];
