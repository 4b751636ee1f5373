import { notSingular } from '../errors.ts';
import { NO_PREFERENCES, type Preferences } from '../grammar/parse-preferences.ts';
import type { StatementAnswer } from '../sql/answer-sql.ts';
import { toCsv } from './csv.ts';
import type { Representation } from './representation.ts';
import { readResponseSettings } from './response-settings.ts';

export interface Answer {
  readonly status: number;
  /** JSON text as PostgreSQL made it, or what was made of it; null for none. */
  readonly body: string | null;
  /** Empty where there is no body to speak of. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The response, with headers as a plain object, which the adapter writes as they are. A HEAD request's loses its body in
 * the router.
 */
export function respond({ status, body, contentType, headers }: Answer, schema: string): Response {
  const all: Record<string, string> = { 'Content-Profile': schema };
  if (contentType !== '') all['Content-Type'] = contentType;
  if (headers !== undefined) Object.assign(all, headers);
  return new Response(BODILESS.has(status) ? null : body, { status, headers: all });
}

/** Statuses that have no body (Fetch standard, "null body status"). */
const BODILESS = new Set([204, 205, 304]);

/** The answer with what functions and triggers said of it: their status and headers stand before ours. */
export function withResponseSettings(
  answer: Answer,
  { response_status: status, response_headers: headers }: Pick<StatementAnswer, 'response_status' | 'response_headers'>,
): Answer {
  if (status === null && headers === null) return answer;
  const said = readResponseSettings(status, headers);
  const theirs = Object.fromEntries(said.headers);
  const typed = said.headers.find(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: said.status ?? answer.status,
    body: answer.body,
    contentType: typed === undefined ? answer.contentType : '',
    headers: { ...answer.headers, ...theirs },
  };
}

/** Throws PGRST116 where exactly one row is wanted and there are more or fewer. */
export function requireSingle(rows: number, single: boolean): void {
  if (single && rows !== 1) throw notSingular(rows);
}

/** The body as asked for: of the JSON array that PostgreSQL made, all of it, its one element, or CSV. */
export function represent(
  body: string | null,
  fields: readonly string[],
  { form }: Representation,
  single: boolean,
): string | null {
  if (body === null) return null;
  // What the statement made in this form: arrays of texts and nulls.
  if (form.kind === 'texts') return toCsv(fields, JSON.parse(body) as (string | null)[][]);
  // The text is `[…]` around one row.
  return single ? body.slice(1, -1) : body;
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

/** The header that says which preferences were honoured; no header where there were none. */
export function appliedPreferences(
  preferences: Preferences,
  honoured: readonly (keyof Preferences)[],
): Record<string, string> | undefined {
  if (preferences === NO_PREFERENCES) return undefined;
  const applied = honoured
    .filter((name) => preferences[name] !== null)
    .map((name) => `${WORDS[name]}=${preferences[name]}`);
  return applied.length === 0 ? undefined : { 'Preference-Applied': applied.join(', ') };
}
