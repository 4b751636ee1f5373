import { afterEach, expect, test, vi } from 'vitest';
import { mayFetchAhead } from './fetch-ahead.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['a good connection', { effectiveType: '4g', saveData: false }, true],
  ['a slow connection', { effectiveType: '3g', saveData: false }, false],
  ['a user who saves data', { effectiveType: '4g', saveData: true }, false],
  ['a browser that does not tell', undefined, true],
])('%s', (_name, connection, mayFetch) => {
  vi.stubGlobal('navigator', { connection });
  expect(mayFetchAhead()).toBe(mayFetch);
});
