// `npm test`: sets up what is missing, a browser and a second PostgreSQL included, then runs every check.
// `npm test -- sign-up` runs only the vitest files whose path has that word.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './launch/find-browser.mjs';
import { findPostgres15 } from './launch/find-postgres-15.mjs';
import { say } from './launch/say.mjs';
import { build, checkLauncherVersion, environment, install, root, runtime } from './launch/set-up.mjs';

checkLauncherVersion();
install();
build();
const filters = process.argv.slice(2);
const browser = findBrowser();
const postgres15 = findPostgres15();

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const env = environment({
  ...(browser === null ? {} : { CHROMIUM_PATH: browser }),
  ...(postgres15 === null ? {} : { POSTGRES_15_BIN: postgres15 }),
});

const module = (path, ...args) => [runtime, [join(root, 'node_modules', path), ...args]];
const vitestReport = join(results, 'vitest.json');
const playwrightReport = join(results, 'playwright.json');
const steps = [
  [
    'Format, lint and boundaries',
    module('@biomejs/biome/bin/biome', 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'),
  ],
  ['Route types', module('@react-router/dev/bin.cjs', 'typegen')],
  ['Types', module('typescript/bin/tsc', '--noEmit')],
  ['Unused code', module('knip/bin/knip.js')],
  [
    'Unit, policies, contract, crash',
    module(
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
      ...filters,
    ),
  ],
  ['Browser', module('@playwright/test/cli.js', 'test')],
];

for (const [title, [program, args]] of filters.length > 0 ? [steps[4]] : steps) {
  say(`\n── ${title}`);
  const startedAt = Date.now();
  const { status } = spawnSync(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    say(`\n${title}: failed.`);
    process.exit(status ?? 1);
  }
  say(`   ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

const vitest = JSON.parse(readFileSync(vitestReport, 'utf8'));
const playwright =
  filters.length > 0
    ? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
    : JSON.parse(readFileSync(playwrightReport, 'utf8')).stats;
const passed = vitest.numPassedTests + playwright.expected + playwright.flaky;
const failed = vitest.numFailedTests + playwright.unexpected;
const skipped = vitest.numPendingTests + playwright.skipped;
say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
