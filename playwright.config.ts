import { defineConfig, devices } from '@playwright/test';

/** Each worker has a server of its own, with its own database, started by the fixture in `tests/e2e/support`. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  // Two cores: what waits for the network or a timer leaves room for a third.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // For a busy machine: on a quiet one no test needs a third of it.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test that fails now and then is a fault of the page or of the test. CI tries it once more and names it (decision 49).
  retries: process.env.CI === undefined ? 0 : 1,
  reporter: 'list',
  use: {
    launchOptions: {
      ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium's own sandbox does not run as root, which containers often are.
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
    },
    // It stands between a test and what it watches on the network; where it matters it is allowed.
    serviceWorkers: 'block',
    // Every test would take half as long again with one; `--trace on` records them all.
    trace: 'off',
    locale: 'en-GB',
  },
  projects: [
    { name: 'phone', use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } } },
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
      // What is the same on every width is looked at once.
      grepInvert: /@one-width/,
    },
  ],
});
