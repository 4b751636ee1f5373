// `npm test`: sets up what is missing, a browser included, then runs every check that a change has to pass.
// `npm test -- sign-up` runs only the vitest files whose path has that word.
// `npm run test:everything`: the same, then what takes longer. With `-- --rest`, what takes longer alone.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './launch/find-browser.mjs';
import { findPostgres15 } from './launch/find-postgres-15.mjs';
import { findSwift } from './launch/find-swift.mjs';
import { runSideBySide } from './launch/run-side-by-side.mjs';
import { environment, root, runtime } from './launch/runtime.mjs';
import { say } from './launch/say.mjs';
import { setUp } from './launch/set-up.mjs';

const words = process.argv.slice(2);
const filters = words.filter((word) => !word.startsWith('--'));
const everything = words.includes('--everything');
const restOnly = words.includes('--rest');

setUp({ pages: true });
const reports = mkdtempSync(join(tmpdir(), 'reunite-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const total = { passed: 0, failed: 0, skipped: 0 };

if (filters.length > 0) {
  await run([vitest('vitest', ['unit', 'programs', 'postgres-18'], filters)]);
} else {
  if (!restOnly) {
    await run([
      staticChecks(),
      vitest('vitest: units, policies, contract, engine, crash', ['unit', 'programs', 'postgres-18']),
      playwright('playwright: the journeys in a browser, on a phone', 'phone'),
    ]);
  }
  if (everything) {
    await run([
      vitest('vitest: PostgreSQL 15, another object store, long random runs', ['postgres-15', 'long-runs']),
      playwright('playwright: the journeys in a browser, on a desktop', 'desktop'),
    ]);
  }
}
if (total.skipped > 0) say(`\n${total.skipped} skipped`);
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** The parts of `npm run validate:static`, one after the other. */
function staticChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    heading: 'static checks: format, lint, types, boundaries, unused code',
    commands: scripts['validate:static'].split(' && ').map((line) => ({ program: line, args: [], shell: true })),
  };
}

function vitest(heading, projects, names = []) {
  const report = join(reports, `vitest-${projects.join('-')}.json`);
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'];
  args.push(`--outputFile.json=${report}`, ...projects.map((name) => `--project=${name}`), ...names);
  const count = (all) => [all.numPassedTests, all.numFailedTests, all.numPendingTests + all.numTodoTests];
  return { heading, commands: [{ program: runtime, args, report, count }] };
}

function playwright(heading, project) {
  const report = join(reports, `playwright-${project}.json`);
  const args = [
    join(root, 'node_modules/@playwright/test/cli.js'),
    'test',
    '--reporter=list,json',
    `--project=${project}`,
  ];
  const count = ({ stats }) => [stats.expected + stats.flaky, stats.unexpected, stats.skipped];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  return { heading, commands: [{ program: runtime, args, env, report, count }] };
}

/** Runs the stages side by side and adds up what their reports count. What has no report counts as one check. */
async function run(stages) {
  const env = environmentOfTests();
  for (const { ended, report, count } of await runSideBySide(stages, { cwd: root, env })) {
    // A program that fell over wrote no report; one that says that all is well must have.
    const [passed, failed, skipped] =
      report !== undefined && (ended === 0 || existsSync(report))
        ? count(JSON.parse(readFileSync(report, 'utf8')))
        : [ended === 0 ? 1 : 0, 0, 0];
    total.passed += passed;
    // A program may fail without a test that does: an error outside of all tests, a rule that is broken.
    total.failed += ended === 0 ? failed : Math.max(failed, 1);
    total.skipped += skipped;
  }
}

/** What only some stages need is looked for, and installed where it is missing, only when one of them runs. */
function environmentOfTests() {
  const postgres15 = everything ? findPostgres15() : null;
  const swift = everything ? findSwift() : null;
  const env = environment({
    ...(filters.length === 0 ? { CHROMIUM_PATH: findBrowser() } : {}),
    ...(postgres15 === null ? {} : { POSTGRES_15_BIN: postgres15 }),
    ...(swift === null ? {} : { SWIFT_PYTHON: swift }),
  });
  // Each tool decides for itself.
  delete env.NODE_ENV;
  return env;
}
