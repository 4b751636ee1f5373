import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Runs a step when the test that is running is done or, called at the top of a file, when the file's tests are; the
 * last step first. An `afterAll` that stands in a test is never run, and vitest says nothing of it.
 */
export function whenDone(step: () => unknown): void {
  const end = async () => void (await step());
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}
