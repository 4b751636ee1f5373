import type { ObjectMetadata, Rendition } from './object-row.ts';

/** What was put in the blob store for an object. */
export interface StoredContent {
  readonly version: string;
  readonly metadata: ObjectMetadata;
  readonly renditions: readonly Rendition[];
}

/** The metadata of a content that was just stored. */
export function describeContent(
  { size, sha256 }: { readonly size: number; readonly sha256: string },
  mimetype: string,
  cacheControl: string,
  /** Milliseconds since the epoch. */
  at: number,
): ObjectMetadata {
  return {
    eTag: eTagOf(sha256),
    size,
    mimetype,
    cacheControl,
    lastModified: new Date(at).toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
}

/** An entity tag is as long as it needs to be for no two contents to share one. */
export function eTagOf(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}
