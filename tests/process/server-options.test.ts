import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { serverOptions } from '#tools/launch/runtime.mjs';

const GIB = 1024 ** 3;

test.each([
  ['a container of half a GiB', GIB / 2, 16],
  ['a small machine', 2 * GIB, 16],
  ['a machine of 4 GiB, of which the system has reserved a little', 3.9 * GIB, 16],
  ['a machine of 6 GiB', 6 * GIB, 32],
  ['a machine of 8 GiB', 8 * GIB, 64],
  ['a large machine', 256 * GIB, 64],
])('the space for young objects on %s', (_, memory, mebibytes) => {
  expect(serverOptions(memory)).toEqual([`--max-semi-space-size=${mebibytes}`]);
});

test('the runtime accepts the options for this machine', () => {
  const { status, stderr } = spawnSync(process.execPath, [...serverOptions(), '--eval', ''], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
