import { expect, test } from 'vitest';
import { type SenderKind, UPLOADS, UploadPlaces } from './upload-places.ts';

const MIB = 1024 ** 2;
const from = (kind: SenderKind, address: string) => ({ kind, address, announced: null });

test('an address has its share, and a crowd of strangers takes no place of an account [I57]', () => {
  const places = new UploadPlaces({ largestFile: 50 * MIB, processes: 1 });
  expect(places.take(from('finder', 'a'), 12 * MIB)).not.toBeNull();
  expect(places.take(from('finder', 'a'), 12 * MIB)).not.toBeNull();
  expect(places.take(from('finder', 'a'), 1)).toBeNull();

  for (let address = 0; address < 100; address += 1) places.take(from('finder', String(address)), 12 * MIB);
  expect(Math.abs(places.held - UPLOADS.finder.inAll)).toBeLessThan(12 * MIB);
  // An equal share is left for what a browser has made smaller.
  expect(places.take(from('finder', 'late'), MIB)).not.toBeNull();
  expect(places.take(from('account', 'a'), 50 * MIB)).not.toBeNull();
});

test('an account sends a file of any size that the operator allows', () => {
  const places = new UploadPlaces({ largestFile: 5_000 * MIB, processes: 8 });
  expect(places.take(from('account', 'a'), 5_000 * MIB)).not.toBeNull();
});

test('what is not written yet is known until the place is given back, which happens once', () => {
  const places = new UploadPlaces({ largestFile: MIB, processes: 1 });
  const place = places.take(from('finder', 'a'), 10 * MIB);
  places.take(from('account', 'b'), MIB);
  place?.wrote(4 * MIB);
  expect([places.held, places.unwritten]).toEqual([11 * MIB, 7 * MIB]);
  for (const _ of [1, 2]) place?.giveBack();
  expect([places.held, places.unwritten]).toEqual([MIB, MIB]);
});
