/** What is stored about an object's content, with the names used on the wire. */
export interface ObjectMetadata {
  readonly eTag: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
  readonly cacheControl: string;
  readonly lastModified: string;
  readonly contentLength: number;
  readonly httpStatusCode: 200;
  /** For a picture, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** A smaller size of a picture, in its own file. */
export interface Rendition {
  readonly version: string;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly eTag: string;
}

/** What is needed to serve an object. The metadata is null where SQL inserted a row without a file. */
export interface StoredObject {
  readonly name: string;
  readonly version: string;
  readonly metadata: ObjectMetadata | null;
  readonly renditions: readonly Rendition[];
}

/** The columns of an object as sent to clients. */
export const OBJECT_COLUMNS = `id, name, bucket_id, owner, owner_id, version, created_at, updated_at, last_accessed_at,
  metadata, user_metadata`;
