import { AuthError } from '../wire/auth-error.ts';

const UNIT_MS = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof UNIT_MS;

/** A thousand years. A longer ban is a mistake, and its date would not be readable by all clients. */
const LONGEST_MS = 1_000 * 365.25 * 24 * UNIT_MS.h;

/**
 * Parses a ban duration into milliseconds: numbers with units, such as `24h` or `1h30m` (Go's duration format). Returns
 * null for `none`, which lifts a ban. Throws `banDurationMalformed`.
 */
export function readBanDuration(text: string): number | null {
  if (text === 'none') return null;
  const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
  const parts = [...text.matchAll(part)];
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit as Unit], 0); // The pattern only matches these units.
  if (parts.length === 0 || text.replace(part, '') !== '' || ms > LONGEST_MS) {
    throw new AuthError('banDurationMalformed', { detail: JSON.stringify(text) });
  }
  return ms;
}
