import { hash } from 'node:crypto';
import type { FinishedDocument } from './found-items.ts';
import type { PackedFrame } from './packed-frame.ts';

/**
 * The encodings of a finder's document. Every browser takes gzip, which is packed anew for the little that no other
 * document has; brotli would have to pack all of it, at ten to a hundred times the cost for a tenth fewer bytes.
 */
export type DocumentEncoding = 'gzip' | 'identity';

export function finishDocument(frame: PackedFrame, content: Buffer, encoding: DocumentEncoding): FinishedDocument {
  const bytes = encoding === 'gzip' ? frame.gzip(content) : frame.plain(content);
  // Frame, content and encoding make the bytes, and the content is a third of them.
  return { bytes, etag: `"${frame.fingerprint}.${digestOf(content)}.${encoding}"` };
}

/** The same for the same bytes, and for no others (RFC 9110, section 8.8.3). */
export function etagOf(bytes: string | Uint8Array): string {
  return `"${digestOf(bytes)}"`;
}

function digestOf(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 22);
}
