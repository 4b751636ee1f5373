import type { Page } from '@playwright/test';

/**
 * Waits until the app of a page is at work: it follows links without a new document, and its buttons respond. It fetches
 * its font after all else, once for each browser.
 */
export async function waitForScript(page: Page): Promise<void> {
  await page.waitForFunction(() => localStorage.getItem('font_is_cached') !== null);
}
