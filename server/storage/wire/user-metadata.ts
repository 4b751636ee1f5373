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
