import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { afterAll, expect } from 'vitest';

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * A phone's browser for the tests of a file. Each visit is a new visitor. It fails where the page logs an error or
 * violates its own security policy.
 */
export async function openBrowser() {
  const executablePath = process.env.CHROMIUM_PATH;
  const browser: Browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
  });
  afterAll(() => browser.close());

  return async (
    work: (visit: Visit) => Promise<void>,
    { expected, ...options }: BrowserContextOptions & { readonly expected?: RegExp } = {},
  ): Promise<void> => {
    const context = await browser.newContext({ ...PHONE, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected?.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    try {
      await work({ page, context });
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  };
}
