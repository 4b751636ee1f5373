import { invalidPreferences } from '../errors.ts';

export interface Preferences {
  readonly returning: 'minimal' | 'headers-only' | 'representation' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly handling: 'strict' | 'lenient' | null;
  /** Counts only together with `handling=strict`. */
  readonly maxAffected: number | null;
}

export const NO_PREFERENCES: Preferences = {
  returning: null,
  count: null,
  resolution: null,
  missing: null,
  handling: null,
  maxAffected: null,
};

const VALUES: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null), {
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
});

/**
 * Reads a `Prefer` header (RFC 7240): the first of two values counts, and what is not known is passed over, unless
 * `handling=strict` stands in it.
 */
export function parsePreferences(header: string | undefined): Preferences {
  if (header === undefined || header === '') return NO_PREFERENCES;
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    const [name = '', value = ''] = preference.split('=', 2).map((side) => side.trim());
    const known = VALUES[name]?.includes(value) === true || (name === 'max-affected' && /^\d{1,9}$/.test(value));
    if (!known) unknown.push(preference);
    else if (!found.has(name)) found.set(name, value);
  }
  if (found.get('handling') === 'strict' && unknown.length > 0) throw invalidPreferences(unknown);

  const maxAffected = found.get('max-affected');
  return {
    // Each value was found in its list above.
    returning: (found.get('return') ?? null) as Preferences['returning'],
    count: (found.get('count') ?? null) as Preferences['count'],
    resolution: (found.get('resolution') ?? null) as Preferences['resolution'],
    missing: (found.get('missing') ?? null) as Preferences['missing'],
    handling: (found.get('handling') ?? null) as Preferences['handling'],
    maxAffected: maxAffected !== undefined && found.get('handling') === 'strict' ? Number(maxAffected) : null,
  };
}
