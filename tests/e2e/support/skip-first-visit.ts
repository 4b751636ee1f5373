import { expect, type Page } from '@playwright/test';

/** Skips each step of the first visit. What follows is the item's own page. */
export async function skipFirstVisit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(page.getByRole('heading', { name: 'How may finders reach you?' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
}
