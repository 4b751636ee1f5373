import { etagOfSha256 } from '#server/http/etag.ts';
import type { ObjectMetadata, Rendition } from '../objects/object-row.ts';

/** The files stored for an object. */
export interface StoredContent {
  readonly version: string;
  readonly metadata: ObjectMetadata;
  readonly renditions: readonly Rendition[];
}

/** Returns the metadata of newly stored content. */
export function describeContent(
  { size, sha256 }: { readonly size: number; readonly sha256: string },
  mimetype: string,
  cacheControl: string,
  /** Milliseconds since the epoch. */
  at: number,
): ObjectMetadata {
  return {
    eTag: etagOfSha256(sha256),
    size,
    mimetype,
    cacheControl,
    lastModified: new Date(at).toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
}
