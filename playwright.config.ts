import { defineConfig, devices } from '@playwright/test';

/** Without the density of its pixels, which nothing here looks at: drawing seven times as many costs CPU time. */
const PHONE = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };

/** The journeys that `npm test` runs; `npm run test:everything` runs the others (decision 49). */
const MAIN_SPECS =
  /\/(main-job|conversation|dashboard|finder|item|keyboard|messages|scanner|sign-in-link|stickers|tagging)\.spec\.ts$/;
const part = process.env.TESTS;

/** Each worker has its own server and database, started by the fixture in `tests/e2e/support`. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  // Two cores: what waits for the network or a timer leaves room for a third.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // A test that fails now and then is a fault of the page or of the test. CI tries it once more, and names it (decision 49).
  retries: process.env.CI === undefined ? 0 : 1,
  // For a slow and busy machine: on a quiet one no test needs a sixth of it.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: {
      ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium's own sandbox does not run as root, which containers often are.
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
    },
    // A worker would intercept the requests that tests observe; tests that need it allow it.
    serviceWorkers: 'block',
    // Every test would take half as long again with one; `--trace on` records them all.
    trace: 'off',
    locale: 'en-GB',
  },
  projects: [
    {
      name: 'phone',
      use: PHONE,
      grepInvert: /@rest/,
      ...(part === 'main' && { testMatch: MAIN_SPECS }),
      ...(part === 'rest' && { testIgnore: MAIN_SPECS }),
    },
    // What `npm test` never runs.
    { name: 'phone-rest', use: PHONE, grep: /@rest/ },
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
      // What is the same on every width is looked at once.
      grepInvert: /@one-width/,
    },
  ],
});
