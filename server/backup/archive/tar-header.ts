import { DamagedBackup } from './damaged-backup.ts';

/** Bytes of a header, and the unit that contents are padded to. */
export const BLOCK = 512;
/** The longest name of an entry, in bytes. */
const LONGEST_NAME = 100;

/** A file in a tar. */
export interface TarHeader {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Returns the header of a plain file (POSIX.1-1988, "ustar"), which only its owner may read. It depends on the name and the
 * size alone.
 */
export function writeTarHeader({ name, size }: TarHeader): Buffer {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  // The checksum counts itself as blanks.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Throws a DamagedBackup for any header that `writeTarHeader` would not have written. */
export function readTarHeader(header: Buffer): TarHeader {
  const end = header.indexOf(0);
  const name = header.toString('utf8', 0, end < 0 || end > LONGEST_NAME ? LONGEST_NAME : end);
  const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
  if (name === '' || !Number.isSafeInteger(size) || size < 0 || !writeTarHeader({ name, size }).equals(header)) {
    throw new DamagedBackup('the heading of one of its parts is not as it was written');
  }
  return { name, size };
}

/** How many zeros follow a content of this size. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
