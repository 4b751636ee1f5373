import type { Page } from '@playwright/test';

/** Waits until the app of a page is at work: it follows links without a new document, and its buttons respond. */
export async function waitForScript(page: Page): Promise<void> {
  // React marks the elements that it has taken over.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  );
}
