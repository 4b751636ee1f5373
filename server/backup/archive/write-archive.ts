import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { paddingOf, writeTarHeader } from './tar-header.ts';

const compress = promisify(gzip);

/** The most bytes of one entry before compression, so that neither side holds more in memory. */
export const PART_BYTES = 4 * 1024 * 1024;
/** The last entry: the SHA-256 of every byte before its header. */
export const SEAL = 'SHA256';
/** A tar ends with two empty blocks. */
export const END = Buffer.alloc(1024);

/** Writes a tar as one stream. A content of more than `PART_BYTES` is in several entries: `name`, `name~1`, `name~2`. */
export interface ArchiveWriter {
  /** A name that ends in `.gz` is compressed, each entry by itself. */
  add(name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Ends the archive with the checksum of all of it. */
  seal(): Promise<void>;
}

/** `write` resolves once it takes more. */
export function writeArchive(write: (bytes: Buffer) => Promise<void>): ArchiveWriter {
  const hash = createHash('sha256');

  async function put(bytes: Buffer): Promise<void> {
    hash.update(bytes);
    await write(bytes);
  }

  async function putEntry(name: string, content: Buffer): Promise<void> {
    await put(writeTarHeader({ name, size: content.byteLength }));
    await put(content);
    await put(Buffer.alloc(paddingOf(content.byteLength)));
  }

  return {
    async add(name, content) {
      let number = 0;
      for await (const part of partsOf(content)) {
        const bytes = name.endsWith('.gz') ? await compress(part) : part;
        await putEntry(number === 0 ? name : `${name}~${number}`, bytes);
        number += 1;
      }
    },
    async seal() {
      const checksum = Buffer.from(`${hash.digest('hex')}\n`);
      const header = writeTarHeader({ name: SEAL, size: checksum.byteLength });
      await write(Buffer.concat([header, checksum, Buffer.alloc(paddingOf(checksum.byteLength)), END]));
    },
  };
}

/** At least one part, which may be empty. */
async function* partsOf(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let isFirst = true;
  for await (let chunk of content) {
    while (size + chunk.byteLength > PART_BYTES) {
      const room = PART_BYTES - size;
      yield Buffer.concat([...chunks, chunk.subarray(0, room)]);
      isFirst = false;
      chunk = chunk.subarray(room);
      chunks = [];
      size = 0;
    }
    chunks.push(chunk);
    size += chunk.byteLength;
  }
  if (isFirst || size > 0) yield Buffer.concat(chunks);
}
