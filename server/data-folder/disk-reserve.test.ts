import { expect, test } from 'vitest';
import { DiskReserved, diskReserve, reserveOf } from './disk-reserve.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

test.each([
  ['a small volume', 100 * MIB, 25 * MIB],
  ['a volume of a container', 4 * GIB, 256 * MIB],
  ['a Raspberry Pi', 16 * GIB, Math.floor(0.8 * GIB)],
  ['a large server', 4_000 * GIB, GIB],
])('the reserve suits %s', (_, total, reserve) => {
  expect(reserveOf(total)).toBe(reserve);
});

test('an outage is logged once, and its end once twice the reserve is free', async () => {
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  let free = 100;
  // In MiB, of 160 in all.
  const look = async () => ({ bsize: MIB, blocks: 160, bavail: free });
  const disk = diskReserve('/data', { error: note, warn: note }, look);

  await disk.require(60 * MIB);
  await expect(disk.require(61 * MIB)).rejects.toThrow(DiskReserved);
  free = 41;
  await expect(disk.require(2 * MIB)).rejects.toThrow(DiskReserved);
  // Neither does a small file that fits end it.
  await disk.require(MIB);
  await expect(disk.require(2 * MIB)).rejects.toThrow(DiskReserved);
  expect(logged).toEqual([expect.stringContaining('almost full: uploads are refused, and everything else goes on')]);

  free = 80;
  await disk.require(MIB);
  await disk.require(MIB);
  expect(logged.slice(1)).toEqual(['The disk of DATA_DIRECTORY has room again.']);
  free = 0;
  await expect(disk.require(0)).rejects.toThrow(DiskReserved);
  expect(logged).toHaveLength(3);
});
