import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../accepted-encoding.ts';
import type { FinishedDocument } from './found-items.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Off the event loop, once for each document: nearly as small as the slowest quality, in a few milliseconds. */
const BROTLI_QUALITY = 9;

export async function finishDocument(html: string, encoding: Encoding): Promise<FinishedDocument> {
  const plain = Buffer.from(html);
  const bytes = await pack(plain, encoding);
  return { bytes, etag: etagOf(bytes) };
}

/** The same for the same bytes, and for no others (RFC 9110, section 8.8.3). */
export function etagOf(bytes: string | Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

async function pack(plain: Buffer<ArrayBuffer>, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  switch (encoding) {
    case 'br':
      return brotli(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      });
    case 'gzip':
      return zip(plain, { level: 9 });
    case 'identity':
      return plain;
  }
}
