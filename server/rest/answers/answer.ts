import { notSingular } from '../errors.ts';
import { EXPOSED_SCHEMA } from '../exposed-schema.ts';
import { NO_PREFERENCES, type Preferences } from '../grammar/parse-preferences.ts';
import type { Representation } from './representation.ts';

export interface Answer {
  readonly status: number;
  /** JSON text as PostgreSQL made it; null for none. */
  readonly body: string | null;
  /** Empty where there is no body to speak of. */
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The response, with headers as a plain object, which the adapter writes as they are. A HEAD request's loses its body in
 * the router.
 */
export function respond({ status, body, contentType, headers }: Answer): Response {
  const all: Record<string, string> = { 'Content-Profile': EXPOSED_SCHEMA };
  if (contentType !== '') all['Content-Type'] = contentType;
  if (headers !== undefined) Object.assign(all, headers);
  return new Response(body, { status, headers: all });
}

/** The rows as asked for: the array itself, or what stands in it where exactly one row must. Throws PGRST116 otherwise. */
export function represent(body: string | null, rows: number, { single }: Representation): string | null {
  if (!single) return body;
  if (rows !== 1) throw notSingular(rows);
  // The text is `[…]` around one row.
  return body === null ? null : body.slice(1, -1);
}

const WORDS: Readonly<Record<keyof Preferences, string>> = {
  returning: 'return',
  count: 'count',
  resolution: 'resolution',
  missing: 'missing',
  handling: 'handling',
  maxAffected: 'max-affected',
};

/** The header that says which preferences were honoured; no header where there were none. */
export function appliedPreferences(
  preferences: Preferences,
  honoured: readonly (keyof Preferences)[],
): Record<string, string> | undefined {
  if (preferences === NO_PREFERENCES) return undefined;
  const applied = honoured
    .filter((name) => preferences[name] !== null && preferences[name] !== 'headers-only')
    .map((name) => `${WORDS[name]}=${preferences[name]}`);
  return applied.length === 0 ? undefined : { 'Preference-Applied': applied.join(', ') };
}
