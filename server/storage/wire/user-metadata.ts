import { invalidRequest } from '../errors.ts';

/** Metadata that the caller supplies, stored unchanged. */
export type UserMetadata = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 16_384;

/** Parses the JSON text of an upload's metadata. */
export function readUserMetadata(text: string): UserMetadata {
  if (text.length > MOST_CHARACTERS) throw invalidRequest('The metadata is too long');
  try {
    const value: unknown = JSON.parse(text);
    // A JSON object has string keys and arbitrary values.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as UserMetadata;
  } catch {
    // The error below covers this case.
  }
  throw invalidRequest('The metadata must be a JSON object');
}

/** Returns the metadata in the header `x-metadata`, which is JSON in base64; null without one. */
export function userMetadataOf(headers: Headers): UserMetadata | null {
  const encoded = headers.get('x-metadata');
  return encoded === null ? null : readUserMetadata(Buffer.from(encoded, 'base64').toString('utf8'));
}
