import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Runs a step when the current test is done or, called at the top of a file, when the file's tests are; the last step
 * first. vitest silently ignores an `afterAll` within a test.
 */
export function whenDone(step: () => unknown): void {
  const end = async () => void (await step());
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}
