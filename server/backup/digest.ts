import { createHash } from 'node:crypto';

export interface Digest {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** Passes on the parts of a file, and then says what they were. */
export async function* digestOnTheWay<Part extends Uint8Array>(
  parts: AsyncIterable<Part>,
  done: (digest: Digest) => void,
): AsyncGenerator<Part> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of parts) {
    hash.update(part);
    size += part.byteLength;
    yield part;
  }
  done({ size, sha256: hash.digest('hex') });
}

/** Reads a file to its end. */
export async function digestOf(parts: AsyncIterable<Uint8Array>): Promise<Digest> {
  let digest: Digest = { size: 0, sha256: '' };
  for await (const _ of digestOnTheWay(parts, (found) => (digest = found)));
  return digest;
}
