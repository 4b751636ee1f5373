// `npm test`: sets up what is missing, including a browser, then runs the static checks, the unit tests, and the main
// jobs (decision 49). `npm test -- sign-up` runs only the vitest files whose path contains that word. `npm run
// test:everything` also runs all other tests; with `-- --rest` only those.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './launch/find-browser.mjs';
import { findPodman } from './launch/find-podman.mjs';
import { findPostgres15 } from './launch/find-postgres-15.mjs';
import { findHaProxy, findPgBouncer, findPoppler, findPromtool } from './launch/find-programs.mjs';
import { findSwift } from './launch/find-swift.mjs';
import { readPlaywrightReport, readVitestReport } from './launch/read-report.mjs';
import { runSideBySide } from './launch/run-side-by-side.mjs';
import { environment, root, runtime } from './launch/runtime.mjs';
import { say } from './launch/say.mjs';
import { setUp } from './launch/set-up.mjs';

const words = process.argv.slice(2);
const filters = words.filter((word) => !word.startsWith('--'));
const everything = words.includes('--everything');
const restOnly = words.includes('--rest');

setUp({ pages: false });
const built = buildPages();
const reports = mkdtempSync(join(tmpdir(), 'reunite-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const total = { passed: 0, failed: 0, skipped: 0, notes: [] };

if (filters.length > 0) {
  await run([vitest('vitest', undefined, ['unit', 'programs', 'postgres-18'], filters)]);
} else {
  if (!restOnly) {
    await run([
      staticChecks(),
      vitestTwiceInCI('vitest: units, the main jobs, the basics of each service', 'main', [
        'unit',
        'programs',
        'postgres-18',
      ]),
      playwright('playwright: the main jobs in a browser, on a phone', 'main', ['phone']),
    ]);
  }
  if (everything) {
    await run([
      vitestTwiceInCI('vitest: all else, PostgreSQL 15, several servers, long random runs', 'rest', [
        'programs',
        'postgres-18',
        'postgres-15',
        'several-servers',
        'long-runs',
      ]),
      playwright('playwright: every state of every screen, and the journeys on a desktop', 'rest', [
        'phone',
        'phone-rest',
        'desktop',
      ]),
    ]);
  }
}
if (total.notes.length > 0) say(`\nTo look at:\n${total.notes.map((note) => `  ${note}`).join('\n')}`);
if (total.skipped > 0) say(`\n${total.skipped} skipped`);
say(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Builds the pages where they have changed, beside the static checks. Resolves with the exit code. */
function buildPages() {
  return new Promise((resolve) => {
    const child = spawn(runtime, [join(root, 'tools/set-up.mjs')], { cwd: root, env: environment(), stdio: 'inherit' });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Returns the parts of `npm run validate:static`, in order. */
function staticChecks() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    heading: 'static checks: format, lint, types, boundaries, unused code',
    commands: scripts['validate:static'].split(' && ').map((line) => ({ program: line, args: [], shell: true })),
  };
}

/** @param part - Which files of the projects run, as `vitest.config.ts` and `playwright.config.ts` divide them. */
function vitest(heading, part, projects, names = []) {
  const report = join(reports, `vitest-${projects.join('-')}.json`);
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'];
  args.push(`--outputFile.json=${report}`, ...projects.map((name) => `--project=${name}`), ...names);
  return {
    heading,
    needs: built,
    commands: [{ program: runtime, args, env: { TESTS: part }, report, read: readVitestReport }],
  };
}

/**
 * As `vitest`. CI runs the files that failed once more, after all else and one at a time: what fails again is a fault of
 * the product or of the test, and not a busy machine (decision 49).
 */
function vitestTwiceInCI(heading, part, projects) {
  const stage = vitest(heading, part, projects);
  if (process.env.CI === undefined) return stage;
  const again = (files) => vitest(`${heading}: what failed, by itself`, part, projects, ['--maxWorkers=1', ...files]);
  return { ...stage, commands: stage.commands.map((command) => ({ ...command, again })) };
}

function playwright(heading, part, projects) {
  const report = join(reports, `playwright-${projects.join('-')}.json`);
  const args = [
    join(root, 'node_modules/@playwright/test/cli.js'),
    'test',
    '--reporter=list,json',
    ...projects.map((name) => `--project=${name}`),
  ];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, TESTS: part };
  return { heading, needs: built, commands: [{ program: runtime, args, env, report, read: readPlaywrightReport }] };
}

/** Runs the stages side by side and sums up their reports. */
async function run(stages) {
  const env = environmentOfTests();
  for (const first of (await runSideBySide(stages, { cwd: root, env })).map(readResult)) {
    const files = first.again === undefined ? [] : first.files;
    const [second] = files.length > 0 ? await runSideBySide([first.again(files)], { cwd: root, env }) : [];
    const { passed, failed, skipped, notes } = second === undefined ? first : inTheEnd(first, readResult(second));
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.notes.push(...notes);
  }
}

/** Adds to a command that ended what it found. It counts as one check where it wrote no report. */
function readResult(command) {
  const { heading, ended, report, read } = command;
  const result = { passed: ended === 0 ? 1 : 0, failed: 0, skipped: 0, notes: [], files: [] };
  // A crashed program writes no report; a successful one must.
  if (report !== undefined && (ended === 0 || existsSync(report))) {
    Object.assign(result, read(JSON.parse(readFileSync(report, 'utf8'))));
    rmSync(report);
  }
  // A program can fail without a failing test, such as by an error outside of all tests.
  if (ended !== 0 && result.failed === 0) {
    result.failed = 1;
    result.notes.push(`${heading}: failed outside of its tests`);
  }
  return { ...command, ...result };
}

/** The result of a run whose failing files ran again. What failed at first stays named. */
function inTheEnd(first, second) {
  return {
    passed: first.passed + Math.max(0, first.failed - second.failed),
    failed: second.failed,
    skipped: first.skipped,
    notes: [...first.notes.map((note) => `${note} (then its file ran again by itself)`), ...second.notes],
  };
}

/** Tools that only some stages need are looked for and installed only when one of those stages runs. */
function environmentOfTests() {
  const postgres15 = everything ? findPostgres15() : null;
  const swift = everything ? findSwift() : null;
  const podman = everything && findPodman();
  const promtool = everything ? findPromtool() : null;
  const pgbouncer = everything ? findPgBouncer() : null;
  const haproxy = everything ? findHaProxy() : null;
  const poppler = findPoppler();
  const env = environment({
    ...(poppler === null ? {} : { PDFTOPPM: poppler }),
    ...(filters.length === 0 ? { CHROMIUM_PATH: findBrowser() } : {}),
    ...(postgres15 === null ? {} : { POSTGRES_15_BIN: postgres15 }),
    ...(swift === null ? {} : { SWIFT_PYTHON: swift }),
    ...(podman ? { PODMAN: 'true' } : {}),
    ...(promtool === null ? {} : { PROMTOOL: promtool }),
    ...(pgbouncer === null ? {} : { PGBOUNCER: pgbouncer }),
    ...(haproxy === null ? {} : { HAPROXY: haproxy }),
  });
  // Each tool sets its own.
  delete env.NODE_ENV;
  return env;
}
