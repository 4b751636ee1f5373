import { readBytes, readText } from '#server/http/read-text.ts';
import { bodyTooLarge, invalidBody } from './errors.ts';
import { LARGEST_BODY_BYTES, requireText } from './request-body.ts';
import type { BodyKind } from './schema-cache/schema.ts';

/** A body that is no JSON, for a function that takes it as a whole. */
export type RawKind = Exclude<BodyKind, 'json'>;

const KINDS: ReadonlyMap<string, RawKind> = new Map([
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  ['application/octet-stream', 'bytea'],
]);

/**
 * Returns the kind of a body by its content type, or null where it must be JSON.
 *
 * A cross-site page can send plain text without a preflight, but not with a key in a header (Fetch standard,
 * CORS-safelisted request-header).
 */
export function rawKind({ headers }: Request): RawKind | null {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const kind = KINDS.get(type) ?? null;
  const hasKey = headers.has('apikey') || headers.has('authorization');
  return kind === 'text' && !hasKey ? null : kind;
}

/** Reads a body as an argument of its kind. Throws PGRST102 where it is too large, or no text where it must be. */
export async function readRawBody(request: Request, kind: RawKind): Promise<string | Uint8Array> {
  if (kind === 'bytea') {
    const bytes = await readBytes(request, LARGEST_BODY_BYTES);
    if (bytes === 'too-large') throw bodyTooLarge(LARGEST_BODY_BYTES);
    if (bytes === 'broken-off') throw invalidBody();
    return bytes;
  }
  const read = await readText(request, LARGEST_BODY_BYTES);
  if (read.outcome === 'too-large') throw bodyTooLarge(LARGEST_BODY_BYTES);
  if (read.outcome === 'not-utf8') throw invalidBody('The body is not UTF-8');
  return requireText(read.text);
}
