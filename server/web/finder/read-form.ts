import { isUtf8 } from 'node:buffer';
import type { HonoRequest } from 'hono';

/** Much more than 250 characters of four bytes, each percent-encoded: 3,000 bytes. */
const MOST_BYTES = 16 * 1024;

export type ReadForm = { readonly fields: URLSearchParams } | { readonly status: 413 | 415 | 400 };

/** The fields of a form that was posted as browsers do by default, or the status that says why they can't be had. */
export async function readForm(request: HonoRequest): Promise<ReadForm> {
  const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return { status: 415 };
  if (Number(request.header('content-length') ?? 0) > MOST_BYTES) return { status: 413 };
  const { body } = request.raw;
  if (body === null) return { fields: new URLSearchParams() };

  const chunks: Uint8Array[] = [];
  let length = 0;
  // Counted while it arrives: a body without a stated length is bounded too.
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) return { status: 413 };
    chunks.push(chunk);
  }
  const text = decode(Buffer.concat(chunks));
  if (text === null) return { status: 400 };
  const fields = new URLSearchParams(text);
  // A browser sends each field of these forms once.
  if (new Set(fields.keys()).size < fields.size) return { status: 400 };
  // PostgreSQL keeps no NUL in a text, and no form field has one.
  for (const value of fields.values()) if (value.includes('\0')) return { status: 400 };
  return { fields };
}

/** Null for what is not percent-encoded UTF-8: URLSearchParams would put other characters in its place. */
function decode(bytes: Buffer): string | null {
  const text = bytes.toString('latin1');
  try {
    decodeURIComponent(text);
    return isUtf8(bytes) ? bytes.toString('utf8') : null;
  } catch {
    return null;
  }
}
