import type { Transform } from '../pictures/transform.ts';
import type { ObjectMetadata, StoredObject } from './object-row.ts';

/** A file of an object to serve. */
export interface ChosenFile {
  readonly key: string;
  readonly metadata: ObjectMetadata;
}

/** Returns the original of an object, or null for a row that SQL inserted without a file. */
export function chooseContent({ version, metadata }: StoredObject): ChosenFile | null {
  return metadata === null ? null : { key: version, metadata };
}

/**
 * Returns the file of a picture that already is what is asked for: in the width of a stored size, as our own pages ask
 * for it, where that is the longer side; else at least as wide as the largest. Null where it has to be made.
 */
export function chooseSize(object: StoredObject, { width, ...others }: Transform): ChosenFile | null {
  const { metadata, renditions } = object;
  const isPlain = Object.values(others).every((value) => value === undefined || value === 'origin');
  // Only a picture's metadata has its size.
  if (metadata?.width === undefined || !isPlain) return null;
  if (width === undefined || width >= metadata.width) return chooseContent(object);
  const fitting = renditions.find((size) => Math.max(size.width, size.height) === width);
  if (fitting === undefined) return null;
  const { size, eTag } = fitting;
  return { key: fitting.version, metadata: { ...metadata, size, contentLength: size, eTag } };
}
