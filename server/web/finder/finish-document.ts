import type { FilledTemplate } from './finder-templates.ts';
import type { FinishedDocument } from './item-cache.ts';
import type { PackedFrame } from './packed-frame.ts';

/**
 * The encodings of a finder's document. Every browser accepts gzip, for which a document is assembled from compressed
 * parts. Brotli would have to compress the whole document, at ten to a hundred times the cost for a tenth fewer bytes.
 */
export type DocumentEncoding = 'gzip' | 'identity';

export function finishDocument(
  frame: PackedFrame,
  { pieces, digest, pack }: FilledTemplate,
  encoding: DocumentEncoding,
): FinishedDocument {
  const bytes = encoding === 'gzip' ? frame.gzip(Buffer.concat(pieces), pack()) : frame.plain(pieces);
  // Frame, content and encoding determine the bytes.
  return { bytes, etag: `"${frame.fingerprint}.${digest}.${encoding}"` };
}
