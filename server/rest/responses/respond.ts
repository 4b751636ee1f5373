import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptedEncoding } from '#server/http/accepted-encoding.ts';
import { notSingular } from '../errors.ts';
import { NO_PREFERENCES, type Preferences } from '../grammar/parse-preferences.ts';
import type { StatementResponse } from '../sql/response-sql.ts';
import type { Representation } from './representation.ts';
import { readResponseSettings } from './response-settings.ts';

export interface RestResponse {
  readonly status: number;
  /** JSON text from PostgreSQL, or a form derived from it; null for no body. */
  readonly body: string | null;
  /** Empty where there is no body. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A shorter body fits into one packet in any case. */
const LEAST_COMPRESSED = 1_400;
/** Of the levels of zlib, one that takes a millisecond for two hundred items. */
const COMPRESSION = { level: 5 };
const compress = promisify(gzip);

/**
 * Builds the response with headers as a plain object, which the Node adapter writes unchanged. The router drops the
 * body for a HEAD request. A list is compressed where the client accepts it: two hundred items take a tenth of the bytes.
 */
export async function respond(
  { status, body, contentType, headers }: RestResponse,
  { schema, acceptEncoding }: { readonly schema: string; readonly acceptEncoding: string | undefined },
): Promise<Response> {
  const all: Record<string, string> = { 'Content-Profile': schema };
  if (contentType !== '') all['Content-Type'] = contentType;
  if (headers !== undefined) Object.assign(all, headers);
  if (body === null || BODILESS.has(status)) return new Response(null, { status, headers: all });
  if (body.length < LEAST_COMPRESSED || acceptedEncoding(acceptEncoding, GZIP_ALONE) === 'identity') {
    return new Response(body, { status, headers: all });
  }
  all['Content-Encoding'] = 'gzip';
  return new Response(await compress(body, COMPRESSION), { status, headers: all });
}

const GZIP_ALONE = { br: false, gzip: true };

/** Statuses that have no body (Fetch standard, "null body status"). */
const BODILESS = new Set([204, 205, 304]);

/** Adds the status and headers that functions and triggers have set. They override ours. */
export function withResponseSettings(
  response: RestResponse,
  {
    response_status: status,
    response_headers: headers,
  }: Pick<StatementResponse, 'response_status' | 'response_headers'>,
): RestResponse {
  if (status === null && headers === null) return response;
  const said = readResponseSettings(status, headers);
  const theirs = Object.fromEntries(said.headers);
  const typed = said.headers.find(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: said.status ?? response.status,
    body: response.body,
    contentType: typed === undefined ? response.contentType : '',
    headers: { ...response.headers, ...theirs },
  };
}

/** Throws PGRST116 where exactly one row is requested and there are more or fewer. */
export function requireSingle(rows: number, single: boolean): void {
  if (single && rows !== 1) throw notSingular(rows);
}

/** Returns the body in the requested form: the JSON array from PostgreSQL, its single element, or CSV. */
export function represent(
  body: string | null,
  fields: readonly string[],
  { form }: Representation,
  single: boolean,
): string | null {
  if (body === null) return null;
  // In this form the statement returns arrays of text and nulls.
  if (form.kind === 'texts') return toCsv(fields, JSON.parse(body) as (string | null)[][]);
  // The text is `[…]` around a single row.
  return single ? body.slice(1, -1) || 'null' : body;
}

const WORDS: Readonly<Record<keyof Preferences, string>> = {
  returning: 'return',
  count: 'count',
  resolution: 'resolution',
  missing: 'missing',
  handling: 'handling',
  maxAffected: 'max-affected',
  transaction: 'tx',
  timeZone: 'timezone',
};

/** Returns the `Preference-Applied` header, or no header where no preference was applied. */
export function appliedPreferences(
  preferences: Preferences,
  honored: readonly (keyof Preferences)[],
): Record<string, string> | undefined {
  if (preferences === NO_PREFERENCES) return undefined;
  const applied = honored
    .filter((name) => preferences[name] !== null)
    .map((name) => `${WORDS[name]}=${preferences[name]}`);
  return applied.length === 0 ? undefined : { 'Preference-Applied': applied.join(', ') };
}

/** Formats rows of text as CSV (RFC 4180) with a header row. Lines end with LF, as PostgREST's do. */
function toCsv(fields: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [fields, ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** Null is an empty field and an empty text a pair of quotes. As in PostgREST, a text is quoted where a row's would be. */
function cell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /["\\(),\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
