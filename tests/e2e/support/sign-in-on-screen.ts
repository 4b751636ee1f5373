import { expect, type Page } from '@playwright/test';

/** Signs in on the screen, so that the account knows the browser. */
export async function signInOnScreen(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}
