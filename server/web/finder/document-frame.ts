import { hash } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The gzip header (RFC 1952, section 2.3): magic, deflate, no flags, no time, no extra flags, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const TRAILER_BYTES = 8;

/** Flushes to a byte boundary without ending the stream, so that another block can follow. */
const ON_A_BYTE = { finishFlush: constants.Z_SYNC_FLUSH };

/** Compressed once, so at the highest level. */
const FRAME = { level: 9 };

/**
 * Compressed while a visitor waits. Level 6 with the whole head as dictionary costs twice as much for a thirtieth fewer
 * bytes.
 */
const CONTENT = { ...ON_A_BYTE, level: 4, chunkSize: 4_096 };
const WINDOW_BYTES = 8_192;

/**
 * For the rare content that would otherwise be too large: all that level and dictionary can do, in blocks of the usual size
 * or of an eighth of it, which fit their own letters. Which is smaller depends on the text, by up to a hundredth.
 */
const SMALLEST = [8, 5].map((memLevel) => ({ ...ON_A_BYTE, level: 9, memLevel }));

/**
 * The bytes of a document that arrive before the first acknowledgment: ten segments of a new connection (RFC 6928), with
 * room for the head of the response.
 */
export const FIRST_FLIGHT_BYTES = 14_000;

/**
 * The common beginning and end of many documents, compressed once.
 *
 * A document is one gzip member of three pieces of a deflate stream: the blocks of the head, blocks for its own
 * content, and the blocks of the tail. The content may refer back into the head, which directly precedes it in every
 * document. The tail refers only to itself.
 */
export class DocumentFrame {
  #head: Buffer;
  #tail: Buffer;
  #headText: string;
  #tailText: string;
  #packedHead: Buffer;
  #packedTail: Buffer;
  #headChecksum: number;
  #window: Buffer;
  /** Unique per frame. */
  readonly fingerprint: string;

  constructor(headText: string, tailText: string) {
    const head = Buffer.from(headText);
    const tail = Buffer.from(tailText);
    this.#headText = headText;
    this.#tailText = tailText;
    this.#head = head;
    this.#tail = tail;
    this.#packedHead = Buffer.concat([HEADER, deflateRawSync(head, { ...FRAME, ...ON_A_BYTE })]);
    this.#packedTail = deflateRawSync(tail, FRAME);
    this.#headChecksum = crc32(head);
    this.fingerprint = hash('sha256', headText + tailText, 'base64url').slice(0, 11);
    this.#window = head.subarray(-WINDOW_BYTES);
  }

  /** Returns the content between head and tail. Throws for a document with a different head or tail. */
  contentOf(document: string): string {
    if (!document.startsWith(this.#headText) || !document.endsWith(this.#tailText)) {
      throw new Error('A document has another frame than the one it is packed into.');
    }
    return document.slice(this.#headText.length, document.length - this.#tailText.length);
  }

  /** Returns the uncompressed document. */
  plain(content: Buffer): Buffer<ArrayBuffer> {
    return joined([this.#head, content, this.#tail]);
  }

  #smallest(content: Buffer): Buffer {
    const packed = SMALLEST.map((options) => deflateRawSync(content, { ...options, dictionary: this.#head }));
    return packed.reduce((smallest, other) => (other.length < smallest.length ? other : smallest));
  }

  /**
   * Returns the document as gzip (RFC 1952). It is compressed as far as possible where it would not fit into the first
   * flight of a connection otherwise.
   */
  gzip(content: Buffer): Buffer<ArrayBuffer> {
    const quick = deflateRawSync(content, { ...CONTENT, dictionary: this.#window });
    const room = FIRST_FLIGHT_BYTES - this.#packedHead.length - this.#packedTail.length - TRAILER_BYTES;
    const packed = quick.length < room ? quick : this.#smallest(content);
    const trailer = Buffer.allocUnsafe(TRAILER_BYTES);
    trailer.writeUInt32LE(crc32(this.#tail, crc32(content, this.#headChecksum)), 0);
    trailer.writeUInt32LE((this.#head.length + content.length + this.#tail.length) % 2 ** 32, 4);
    return joined([this.#packedHead, packed, this.#packedTail, trailer]);
  }
}

/**
 * Allocates separate memory, because documents are cached: `Buffer.concat` uses a pool of 64 kB, all of which would
 * stay in memory.
 */
function joined(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
