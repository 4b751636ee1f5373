import type { Context, HonoRequest } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { readText } from '#server/http/read-text.ts';
import { withoutTimeLimit } from '#server/web/checks/respond-in-time.ts';

/** The most bytes in the fields of a form: well above 250 characters of four bytes, each percent-encoded, 3,000 bytes. */
export const MOST_FORM_BYTES = 16 * 1024;

export type ReadForm = { readonly fields: URLSearchParams } | { readonly status: 413 | 415 | 400 };

/** Reads the fields of a URL-encoded form, or returns the status of the refusal. */
export async function readForm(c: Context<AppEnv>): Promise<ReadForm> {
  const form = await withoutTimeLimit(c, () => readFields(c.req));
  if ('fields' in form) c.set('sentForm', { fields: form.fields, hasPhoto: false });
  return form;
}

async function readFields(request: HonoRequest): Promise<ReadForm> {
  const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return { status: 415 };
  const read = await readText(request.raw, MOST_FORM_BYTES);
  if (read.outcome === 'too-large') return { status: 413 };
  if (read.outcome === 'not-utf8' || !isPercentEncodedUtf8(read.text)) return { status: 400 };
  return requireFields(new URLSearchParams(read.text));
}

/** Returns the fields, or the status of the refusal where they are not what a browser sends. */
export function requireFields(
  fields: URLSearchParams,
): { readonly fields: URLSearchParams } | { readonly status: 400 } {
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
