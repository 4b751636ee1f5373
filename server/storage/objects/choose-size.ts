import { invalidRequest, notOffered } from '../errors.ts';
import type { ObjectMetadata, StoredObject } from './object-row.ts';

/** One file of an object, to be served. */
export interface ChosenFile {
  readonly key: string;
  readonly metadata: ObjectMetadata;
}

/**
 * The width that a caller asks a picture to have. Nothing is transformed on demand, so nothing else can be asked for.
 * Throws what is not offered.
 */
export function readTransform(transform: Readonly<Record<string, unknown>>): number {
  const { width, ...others } = transform;
  const [other] = Object.keys(others);
  if (other !== undefined) throw notOffered(`Transforming the ${other} of a picture`);
  const pixels = Number(width);
  if (!Number.isInteger(pixels) || pixels < 1 || pixels > 10_000) throw invalidRequest('width is invalid');
  return pixels;
}

/** An object's whole content; null where SQL made a row without any. */
export function chooseContent({ version, metadata }: StoredObject): ChosenFile | null {
  return metadata === null ? null : { key: version, metadata };
}

/** The smallest size of a picture whose longer side has at least so many pixels, else the largest. Throws for what is no picture. */
export function chooseSize(object: StoredObject, width: number): ChosenFile | null {
  const { metadata, renditions } = object;
  if (metadata === null) return null;
  if (metadata.width === undefined) throw notOffered('Transforming what is not in a bucket of pictures');
  const [fitting] = renditions
    .filter((size) => Math.max(size.width, size.height) >= width || size.width === metadata.width)
    .sort((one, other) => one.width - other.width);
  if (fitting === undefined) return chooseContent(object);
  const { size, eTag } = fitting;
  return { key: fitting.version, metadata: { ...metadata, size, contentLength: size, eTag } };
}
