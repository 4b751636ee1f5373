import type { HonoRequest } from 'hono';
import { readText } from '#server/http/read-text.ts';

/** Well above 250 characters of four bytes, each percent-encoded: 3,000 bytes. */
const MOST_BYTES = 16 * 1024;

export type ReadForm = { readonly fields: URLSearchParams } | { readonly status: 413 | 415 | 400 };

/** Reads the fields of a URL-encoded form, or returns the status of the refusal. */
export async function readForm(request: HonoRequest): Promise<ReadForm> {
  const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return { status: 415 };
  const read = await readText(request.raw, MOST_BYTES);
  if (read.outcome === 'too-large') return { status: 413 };
  if (read.outcome === 'not-utf8' || !isPercentEncodedUtf8(read.text)) return { status: 400 };
  const fields = new URLSearchParams(read.text);
  // Browsers send each field of these forms once.
  if (new Set(fields.keys()).size < fields.size) return { status: 400 };
  // PostgreSQL cannot store NUL in text, and form fields never contain it.
  for (const value of fields.values()) if (value.includes('\0')) return { status: 400 };
  return { fields };
}

/** URLSearchParams would silently replace malformed encoding with other characters. */
function isPercentEncodedUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
