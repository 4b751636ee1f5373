import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './runtime.mjs';

/**
 * Reads the JSON report of a test runner: how many tests passed, failed and were skipped, with one line for each that
 * failed and each that passed at its second try. Thousands of lines of output hide these. Of vitest, also which files failed.
 */
export function readVitestReport(report) {
  const failed = [];
  for (const file of report.testResults) {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of tests) failed.push(line(file.name, fullName, failureMessages[0]));
    // A file can fail outside of its tests, such as in a hook.
    if (file.status === 'failed' && tests.length === 0) failed.push(line(file.name, '', file.message));
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    notes: failed,
    files: report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name)),
  };
}

export function readPlaywrightReport({ stats, suites, errors }) {
  const notes = errors.map(({ message }) => line('playwright', '', message));
  for (const { file, title, tests } of suites.flatMap(specsOf)) {
    for (const { status, projectName, results } of tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      const attempt = results.find((result) => result.status !== 'passed');
      const name = `[${projectName}] ${title}${status === 'flaky' ? ' (passed at the second try)' : ''}`;
      notes.push(line(file, name, attempt?.error?.message));
    }
  }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, notes };
}

function specsOf(suite) {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** The longest reason: what a test found, where its message says it. */
const LONGEST = 1_000;

function line(file, name, message = '') {
  const reason = stripVTControlCharacters(message).split('\n', 1)[0].slice(0, LONGEST);
  const place = file.startsWith('/') ? relative(root, file) : file;
  return `${place} › ${[name, reason].filter((part) => part !== '').join(': ')}`;
}
