import { expect, test } from 'vitest';
import { SETTINGS, sharedBuffersFor } from './settings.ts';

const GIB = 1024 ** 3;

test.each([
  ['a small machine', GIB / 2, 128],
  ['one of 4 GiB', 4 * GIB, 512],
  ['one of 24 GiB', 24 * GIB, 3_072],
  ['a large one', 256 * GIB, 8_192],
])('the shared buffers of %s', (_, memory, buffers) => {
  expect(sharedBuffersFor(memory)).toBe(buffers);
});

test('this machine has enough memory for the minimum', () => {
  expect(sharedBuffersFor()).toBeGreaterThanOrEqual(128);
});

test.runIf(process.platform === 'linux')('before a recovery all data is synced at once, not file by file', () => {
  expect(SETTINGS.recovery_init_sync_method).toBe('syncfs');
});
