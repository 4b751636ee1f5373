// `npm test`: sets up what is missing, a browser and a second PostgreSQL included, then runs every check.
// `npm test -- sign-up` runs only the vitest files whose path has that word.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './launch/find-browser.mjs';
import { findPostgres15 } from './launch/find-postgres-15.mjs';
import { findSwift } from './launch/find-swift.mjs';
import { environment, root, runtime } from './launch/runtime.mjs';
import { say } from './launch/say.mjs';
import { setUp } from './launch/set-up.mjs';

setUp({ pages: true });
const filters = process.argv.slice(2);
const everything = filters.length === 0;
const postgres15 = findPostgres15();
const swift = everything ? findSwift() : null;
const env = environment({
  ...(everything ? { CHROMIUM_PATH: findBrowser() } : {}),
  ...(postgres15 === null ? {} : { POSTGRES_15_BIN: postgres15 }),
  ...(swift === null ? {} : { SWIFT_PYTHON: swift }),
});
// Each tool decides for itself.
delete env.NODE_ENV;

const reports = mkdtempSync(join(tmpdir(), 'reunite-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const total = { passed: 0, failed: 0, skipped: 0 };

if (everything) staticChecks();
vitest();
if (everything) playwright();
tell();

/** The parts of `npm run validate:static`, each under its own heading. */
function staticChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const command of scripts['validate:static'].split(' && ')) step(command, command, [], { shell: true });
}

function vitest() {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...filters];
  step('vitest: units, policies, contract, engine, crash', runtime, command, {
    report,
    count: (all) => [all.numPassedTests, all.numFailedTests, all.numPendingTests + all.numTodoTests],
  });
}

function playwright() {
  // Playwright writes where its configuration says.
  const report = join(root, 'test-results/playwright.json');
  rmSync(report, { force: true });
  step('playwright: the journeys in a browser', runtime, [join(root, 'node_modules/@playwright/test/cli.js'), 'test'], {
    report,
    count: ({ stats }) => [stats.expected + stats.flaky, stats.unexpected, stats.skipped],
  });
}

/**
 * Runs one program under a heading. What its report counts is added up, passed, failed and skipped; a failure ends
 * everything with its exit code.
 */
function step(heading, program, args, { report, count, shell = false } = {}) {
  say(`\n── ${heading}`);
  const startedAt = Date.now();
  const ended = spawnSync(program, args, { cwd: root, env, shell, stdio: ['ignore', 'inherit', 'inherit'] });
  // A program that fell over wrote no report; one that says that all is well must have.
  if (report !== undefined && (ended.status === 0 || existsSync(report))) {
    const [passed, failed, skipped] = count(JSON.parse(readFileSync(report, 'utf8')));
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  if (ended.status === 0) {
    say(`   ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return;
  }
  const why = ended.error?.message ?? ended.signal;
  say(`\nFailed: ${heading}${why ? ` (${why})` : ''}`);
  if (total.passed + total.failed > 0) tell();
  process.exit(ended.status ?? 1);
}

function tell() {
  if (total.skipped > 0) say(`\n${total.skipped} skipped`);
  say(`\n${total.passed} passed, ${total.failed} failed`);
}
