import { choiceNotOffered, invalidRequest } from '../errors.ts';
import type { ObjectMetadata, StoredObject } from './object-row.ts';

/** A file of an object to serve. */
export interface ChosenFile {
  readonly key: string;
  readonly metadata: ObjectMetadata;
}

/**
 * Returns the requested width of a picture. Pictures are not transformed on demand, so any other transformation throws.
 */
export function readTransform(transform: Readonly<Record<string, unknown>>): number {
  const { width, ...others } = transform;
  const [other] = Object.keys(others);
  if (other !== undefined) throw choiceNotOffered(`Transforming the ${other} of a picture`);
  const pixels = Number(width);
  if (!Number.isInteger(pixels) || pixels < 1 || pixels > 10_000) throw invalidRequest('width is invalid');
  return pixels;
}

/** Returns the original of an object, or null for a row that SQL inserted without a file. */
export function chooseContent({ version, metadata }: StoredObject): ChosenFile | null {
  return metadata === null ? null : { key: version, metadata };
}

/**
 * Returns the smallest size of a picture whose longer side has at least `width` pixels, else the largest. Throws for an
 * object that is not a picture.
 */
export function chooseSize(object: StoredObject, width: number): ChosenFile | null {
  const { metadata, renditions } = object;
  if (metadata === null) return null;
  if (metadata.width === undefined) throw choiceNotOffered('Transforming what is not in a bucket of pictures');
  const [fitting] = renditions
    .filter((size) => Math.max(size.width, size.height) >= width || size.width === metadata.width)
    .sort((one, other) => one.width - other.width);
  if (fitting === undefined) return chooseContent(object);
  const { size, eTag } = fitting;
  return { key: fitting.version, metadata: { ...metadata, size, contentLength: size, eTag } };
}
