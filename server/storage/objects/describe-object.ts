import type { DescribedObject } from './find-object.ts';

/** Returns the response of the client's `info`. */
export function describeObject(object: DescribedObject): Readonly<Record<string, unknown>> {
  const { metadata } = object;
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: object.user_metadata ?? {},
    last_modified: metadata?.lastModified ?? object.updated_at,
    created_at: object.created_at,
  };
}
