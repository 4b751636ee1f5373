import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DiskReserved } from '#server/data-folder/disk-reserve.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { UploadPlaces } from '../uploads/upload-places.ts';
import { openSpool } from './spool.ts';

const MIB = 1024 ** 2;
const directory = await temporaryFolder();

/** A spool on a disk with so much room above the reserve, in bytes. */
async function spoolWith(room: number) {
  const places = new UploadPlaces({ largestFile: MIB, processes: 1 });
  let left = room;
  const disk = {
    async require(bytes: number) {
      if (bytes > left) throw new DiskReserved();
    },
  };
  const spool = await openSpool({ directory, disk, places });
  return {
    spool,
    places,
    fill: () => {
      left = 0;
    },
  };
}

/** A body in pieces of 64 KiB, which counts what is read of it. */
function bodyOf(bytes: number) {
  const body = {
    read: 0,
    async *[Symbol.asyncIterator]() {
      for (let left = bytes; left > 0; left -= 65_536) {
        const piece = new Uint8Array(Math.min(left, 65_536));
        body.read += piece.byteLength;
        yield piece;
      }
    },
  };
  return body;
}

const finder = (announced: number | null) => ({ kind: 'finder', address: '192.0.2.1', announced }) as const;

test('nothing is read of a file that has no place, or for which the disk has no room beside the others', async () => {
  const { spool, places } = await spoolWith(20 * MIB);
  const body = bodyOf(12 * MIB);
  const held = places.take(finder(null), 14 * MIB);
  await expect(spool.receive(body, 12 * MIB, finder(null))).rejects.toMatchObject({ status: 503 });
  held?.giveBack();
  places.take({ ...finder(null), address: '192.0.2.2' }, 14 * MIB);
  await expect(spool.receive(body, 12 * MIB, finder(12 * MIB))).rejects.toThrow(DiskReserved);
  expect([body.read, await readdir(directory), spool.refused]).toEqual([0, [], { place: 1, disk: 1 }]);
});

test('a file ends within a mebibyte of the moment at which others have filled the disk, and leaves nothing [I57]', async () => {
  const { spool, places, fill } = await spoolWith(20 * MIB);
  const body = bodyOf(12 * MIB);
  const filled = {
    async *[Symbol.asyncIterator]() {
      for await (const piece of body) {
        if (body.read > 3 * MIB) fill();
        yield piece;
      }
    },
  };
  await expect(spool.receive(filled, 12 * MIB, finder(null))).rejects.toThrow(DiskReserved);
  expect(body.read).toBeLessThanOrEqual(4 * MIB + 65_536);
  expect([await readdir(directory), places.held, places.unwritten]).toEqual([[], 0, 0]);
});

test('a file has its place until it is dropped', async () => {
  const { spool, places } = await spoolWith(20 * MIB);
  const file = await spool.receive(bodyOf(MIB), 12 * MIB, finder(MIB));
  expect([places.held, places.unwritten]).toEqual([MIB, 0]);
  await spool.drop(file);
  await spool.drop(file);
  expect(places.held).toBe(0);
});
