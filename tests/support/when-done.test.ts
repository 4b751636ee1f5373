import { afterAll, expect, test } from 'vitest';
import { whenDone } from './when-done.ts';

const steps: string[] = [];
afterAll(() => expect(steps).toEqual(['second of the test', 'first of the test', 'of the file']));
whenDone(() => steps.push('of the file'));

test('what a test has started is stopped at its end, the last first', () => {
  whenDone(() => steps.push('first of the test'));
  whenDone(() => steps.push('second of the test'));
  expect(steps).toEqual([]);
});

test('what a file has started runs until its last test', () => {
  expect(steps).toEqual(['second of the test', 'first of the test']);
});
