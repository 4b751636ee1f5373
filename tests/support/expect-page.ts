import { expect } from '@playwright/test';

/** Playwright's `expect` for pages in tests that Vitest runs, as patient as that of the journeys. */
export const expectPage = expect.configure({ timeout: 30_000 });
