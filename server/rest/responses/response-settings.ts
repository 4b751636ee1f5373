import { invalidResponseHeaders, invalidResponseStatus } from '../errors.ts';

/** Headers that control the connection or the transfer; a function may not set them. */
const OURS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{0,8000}$/;

/** The response settings of functions and triggers of the schema. */
export interface ResponseSettings {
  readonly status: number | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Reads `response.status` and `response.headers`. Throws PGRST111 for invalid headers and PGRST112 for an invalid
 * status.
 */
export function readResponseSettings(status: string | null, headers: string | null): ResponseSettings {
  if (status !== null && !/^[2-5]\d\d$/.test(status)) throw invalidResponseStatus();
  return { status: status === null ? null : Number(status), headers: headers === null ? [] : readHeaders(headers) };
}

/** Parses `[{"Cache-Control": "no-store"}, {"X-Mine": "1"}]`. */
function readHeaders(text: string): readonly (readonly [string, string])[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw invalidResponseHeaders();
  return list.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) throw invalidResponseHeaders();
    const [[name, value] = ['', null], ...others] = Object.entries(entry);
    const good = typeof value === 'string' && HEADER_NAME.test(name) && HEADER_VALUE.test(value);
    if (!good || others.length > 0 || OURS.has(name.toLowerCase())) throw invalidResponseHeaders();
    return [name, value] as const;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponseHeaders();
  }
}
