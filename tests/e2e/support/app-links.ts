import type { Page } from '@playwright/test';

/** The links to other programs that a document has opened, in the order of the taps. */
interface OpenedAppLinks {
  opened: string[];
}

/**
 * Records links to other programs (`tel:`, `mailto:`) that later documents of the page open, instead of opening them. A
 * desktop browser would ask in a dialog, which would take the next click.
 */
export async function recordAppLinks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const opened: string[] = [];
    Object.assign(window, { opened } satisfies OpenedAppLinks);
    navigation.addEventListener('navigate', (event) => {
      if (!/^(tel|mailto):/.test(event.destination.url)) return;
      event.preventDefault();
      opened.push(event.destination.url);
    });
  });
}

/** The links that the page's document has opened since it loaded. */
export function openedAppLinks(page: Page): Promise<string[]> {
  // Set by `recordAppLinks` before the document's own scripts.
  return page.evaluate(() => (window as unknown as OpenedAppLinks).opened);
}
