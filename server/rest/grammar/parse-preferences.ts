import { invalidPreferences } from '../errors.ts';

export interface Preferences {
  readonly returning: 'minimal' | 'headers-only' | 'representation' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly handling: 'strict' | 'lenient' | null;
  /** Applies only with `handling=strict`. */
  readonly maxAffected: number | null;
  readonly transaction: 'commit' | 'rollback' | null;
  /** A name of the IANA time zone database. */
  readonly timeZone: string | null;
}

export const NO_PREFERENCES: Preferences = {
  returning: null,
  count: null,
  resolution: null,
  missing: null,
  handling: null,
  maxAffected: null,
  transaction: null,
  timeZone: null,
};

const VALUES: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null), {
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  tx: ['commit', 'rollback'],
});

const CHECKS: Readonly<Record<string, (value: string) => boolean>> = Object.assign(Object.create(null), {
  'max-affected': (value: string) => /^\d{1,9}$/.test(value),
  timezone: isTimeZone,
});

/** Offsets such as `+05:30` are not accepted: PostgreSQL interprets their sign the other way round. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,40}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Parses a `Prefer` header (RFC 7240). The first of two values applies. Unknown preferences are ignored, or refused
 * with `handling=strict`.
 */
export function parsePreferences(header: string | undefined): Preferences {
  if (header === undefined || header === '') return NO_PREFERENCES;
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    const [name = '', value = ''] = preference.split('=', 2).map((side) => side.trim());
    const known = VALUES[name]?.includes(value) === true || CHECKS[name]?.(value) === true;
    if (!known) unknown.push(preference);
    else if (!found.has(name)) found.set(name, value);
  }
  if (found.get('handling') === 'strict' && unknown.length > 0) throw invalidPreferences(unknown);

  const maxAffected = found.get('max-affected');
  return {
    // Each value is one of its list above.
    returning: (found.get('return') ?? null) as Preferences['returning'],
    count: (found.get('count') ?? null) as Preferences['count'],
    resolution: (found.get('resolution') ?? null) as Preferences['resolution'],
    missing: (found.get('missing') ?? null) as Preferences['missing'],
    handling: (found.get('handling') ?? null) as Preferences['handling'],
    maxAffected: maxAffected !== undefined && found.get('handling') === 'strict' ? Number(maxAffected) : null,
    transaction: (found.get('tx') ?? null) as Preferences['transaction'],
    timeZone: found.get('timezone') ?? null,
  };
}
