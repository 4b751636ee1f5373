import { contentDigest } from '#server/http/etag.ts';
import type { DocumentFrame } from './document-frame.ts';
import type { FinishedDocument } from './item-cache.ts';

/**
 * The encodings of a finder's document. Every browser accepts gzip. Brotli would cost twice as much for a twentieth fewer
 * bytes.
 */
export type DocumentEncoding = 'gzip' | 'identity';

/** Encodes a document, and gives it an ETag. Throws for one that does not have the frame. */
export function finishDocument(frame: DocumentFrame, html: string, encoding: DocumentEncoding): FinishedDocument {
  const content = Buffer.from(frame.contentOf(html));
  const bytes = encoding === 'gzip' ? frame.gzip(content) : frame.plain(content);
  // Frame, content and encoding determine the bytes.
  return { bytes, etag: `"${frame.fingerprint}.${contentDigest(content)}.${encoding}"` };
}
