import { invalidRequest } from '../errors.ts';

/** What a caller says of an object, kept as it is. */
export type UserMetadata = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 16_384;

/** Parses the JSON text of an upload's metadata. */
export function readUserMetadata(text: string): UserMetadata {
  if (text.length > MOST_CHARACTERS) throw invalidRequest('The metadata is too long');
  try {
    const value: unknown = JSON.parse(text);
    // A JSON object has text keys and whatever values.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as UserMetadata;
  } catch {
    // Said below.
  }
  throw invalidRequest('The metadata must be a JSON object');
}
