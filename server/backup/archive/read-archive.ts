import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DamagedBackup } from './damaged-backup.ts';
import { BLOCK, paddingOf, readTarHeader } from './tar-header.ts';
import { END, PART_BYTES, SEAL } from './write-archive.ts';

const decompress = promisify(gunzip);
/** A part that does not become smaller grows by a few bytes. */
const MOST_ENTRY_BYTES = PART_BYTES + 64 * 1024;

/** One content of an archive, decompressed. */
export interface ArchivedContent {
  /** Without `.gz`. */
  readonly name: string;
  /** To be read at most once, before the next content is. */
  readonly parts: AsyncIterable<Buffer>;
}

interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Reads what `writeArchive` has written, in its order. Throws a DamagedBackup for anything else, at the latest behind the
 * last content, once the checksum of the whole has been compared.
 */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedContent> {
  const entries = readEntries(source);
  let next = await entries.next();
  while (next.done !== true) {
    const { name } = next.value;
    let number = 0;
    const parts = (async function* () {
      while (next.done !== true && next.value.name === (number === 0 ? name : `${name}~${number}`)) {
        const { content } = next.value;
        yield name.endsWith('.gz') ? await expand(content) : content;
        number += 1;
        next = await entries.next();
      }
    })();
    yield { name: name.replace(/\.gz$/, ''), parts };
    // What was not read of it is passed over.
    for await (const _ of parts);
    if (number === 0) throw new Error('The parts of a content were left before their end.');
  }
}

async function expand(content: Buffer): Promise<Buffer> {
  try {
    return await decompress(content, { maxOutputLength: PART_BYTES });
  } catch {
    throw new DamagedBackup('a compressed part cannot be expanded');
  }
}

/** Everything up to the seal, which is compared and not passed on. */
async function* readEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const hash = createHash('sha256');
  const bytes = byteReader(source);
  for (;;) {
    const heading = await bytes.take(BLOCK);
    const { name, size } = readTarHeader(heading);
    if (size > MOST_ENTRY_BYTES) throw new DamagedBackup('one of its parts is too large');
    const content = await bytes.take(size);
    const padding = await bytes.take(paddingOf(size));
    if (name === SEAL) {
      const isWhole =
        content.toString('latin1') === `${hash.digest('hex')}\n` &&
        padding.every((byte) => byte === 0) &&
        (await bytes.take(END.byteLength)).equals(END) &&
        (await bytes.isAtEnd());
      if (!isWhole) throw new DamagedBackup('its content does not match its checksum');
      return;
    }
    hash.update(heading).update(content).update(padding);
    yield { name, content };
  }
}

function byteReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let held: Uint8Array = Buffer.alloc(0);

  async function refill(): Promise<boolean> {
    while (held.byteLength === 0) {
      const { done, value } = await iterator.next();
      if (done === true) return false;
      held = value;
    }
    return true;
  }

  return {
    isAtEnd: async () => !(await refill()),
    /** Throws a DamagedBackup where there are fewer. */
    async take(size: number): Promise<Buffer> {
      const chunks: Uint8Array[] = [];
      for (let missing = size; missing > 0; ) {
        if (!(await refill())) throw new DamagedBackup('it ends before its end was written');
        const chunk = held.subarray(0, missing);
        held = held.subarray(chunk.byteLength);
        chunks.push(chunk);
        missing -= chunk.byteLength;
      }
      return Buffer.concat(chunks);
    },
  };
}
