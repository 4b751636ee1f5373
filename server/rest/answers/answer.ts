import { notSingular } from '../errors.ts';
import { EXPOSED_SCHEMA } from '../exposed-schema.ts';
import type { Preferences } from '../grammar/parse-preferences.ts';
import type { Representation } from './representation.ts';

export interface Answer {
  readonly status: number;
  /** JSON text as PostgreSQL made it; null for none. */
  readonly body: string | null;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A HEAD request's answer loses its body in the router. */
export function respond({ status, body, contentType, headers = {} }: Answer): Response {
  const all = { 'Content-Profile': EXPOSED_SCHEMA, ...headers };
  if (body === null && contentType === '') return new Response(null, { status, headers: all });
  return new Response(body, { status, headers: { ...all, 'Content-Type': contentType } });
}

/** The rows as asked for: the array itself, or what stands in it where exactly one row must. Throws PGRST116 otherwise. */
export function represent(body: string | null, rows: number, { single }: Representation): string | null {
  if (!single) return body;
  if (rows !== 1) throw notSingular(rows);
  // The text is `[…]` around one row.
  return body === null ? null : body.slice(1, -1);
}

/** The preferences that were honoured, as the header says it; undefined where there were none. */
export function appliedPreferences(
  preferences: Preferences,
  honoured: readonly (keyof Preferences)[],
): Record<string, string> {
  const words: Record<keyof Preferences, string> = {
    returning: 'return',
    count: 'count',
    resolution: 'resolution',
    missing: 'missing',
    handling: 'handling',
    maxAffected: 'max-affected',
  };
  const applied = honoured
    .filter((name) => preferences[name] !== null)
    .map((name) => `${words[name]}=${preferences[name]}`);
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}
