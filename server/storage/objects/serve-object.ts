import { isFresh } from '#server/http/etag.ts';
import type { BlobStore, ByteRange } from '../blobs/blob-store.ts';
import { fileMissing, rangeNotSatisfiable } from '../errors.ts';
import type { ChosenFile } from './choose-size.ts';
import type { ObjectMetadata } from './object-row.ts';
import { contentDisposition, safeContentType } from './safe-content.ts';

export interface ServeOptions {
  readonly method: string;
  readonly headers: Headers;
  /**
   * The query parameter `download`: undefined displays the content, an empty value downloads it, any other value is the
   * file name of the download.
   */
  readonly download: string | undefined;
  /** When the signed URL expires, in Unix seconds. */
  readonly expiresAt?: number | undefined;
}

/** Headers of every served file. They keep uploads from running as documents of this origin (adversarial case E37). */
const ALWAYS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Robots-Tag': 'none',
} as const;

/** Returns the headers of a response with an object's content, or of one that says that it did not change. */
export function alwaysSent(
  { eTag, lastModified, cacheControl }: ObjectMetadata,
  { expiresAt }: Pick<ServeOptions, 'expiresAt'>,
): Record<string, string> {
  return {
    ...ALWAYS,
    ETag: eTag,
    'Last-Modified': new Date(lastModified).toUTCString(),
    ...(expiresAt === undefined
      ? { 'Cache-Control': cacheControl }
      : { Expires: new Date(expiresAt * 1000).toUTCString() }),
  };
}

/** Responds with a file, a range of it, or only its headers. */
export async function serveObject(
  blobs: BlobStore,
  file: ChosenFile | null,
  { method, headers, download, expiresAt }: ServeOptions,
): Promise<Response> {
  if (file === null) throw fileMissing();
  const { key, metadata } = file;
  const contentType = safeContentType(metadata.mimetype);
  const response: Record<string, string> = { ...alwaysSent(metadata, { expiresAt }), 'Accept-Ranges': 'bytes' };
  if (isFresh(headers.get('if-none-match'), metadata.eTag))
    return new Response(null, { status: 304, headers: response });

  response['Content-Type'] = contentType.type;
  const disposition = contentDisposition(download, contentType.inline);
  if (disposition !== null) response['Content-Disposition'] = disposition;
  const range = readRange(headers, metadata.size, metadata.eTag);
  const [first, last] = range === null ? [0, metadata.size - 1] : [range.first, range.last];
  response['Content-Length'] = String(last - first + 1);
  if (range !== null) response['Content-Range'] = `bytes ${first}-${last}/${metadata.size}`;
  const status = range === null ? 200 : 206;
  // Hono drops the body of a HEAD response without closing it, so no file is opened.
  if (method === 'HEAD') return new Response(null, { status, headers: response });
  const body = await blobs.open(key, range ?? undefined);
  if (body === null) throw fileMissing();
  return new Response(body, { status, headers: response });
}

/**
 * Reads a single byte range (RFC 9110, section 14). Several ranges and other units are ignored, which that section
 * permits.
 */
function readRange(headers: Headers, size: number, eTag: string): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  if (from === '' && to === '') return null;
  const condition = headers.get('if-range');
  if (condition !== null && condition !== eTag) return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) throw rangeNotSatisfiable(size);
  return { first, last };
}
