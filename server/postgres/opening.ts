import type { ApiRole, Caller, CallOptions } from './caller.ts';
import type { OpeningStatement } from './opened-query.ts';

/** Returns the statement that sets role, claims and settings of a transaction. Its result carries no data. */
export function opening({ role, claims }: Caller, { readOnly = false, settings = {} }: CallOptions): OpeningStatement {
  const values = ['role', role, 'request.jwt.claims', claimsText(claims)];
  if (readOnly) values.push('transaction_read_only', 'on');
  for (const [name, value] of Object.entries(settings)) values.push(name, value);
  return setting(values);
}

/** Returns the statement that sets a role without claims, and settings, of a transaction. */
export function settingRole(role: ApiRole, settings: Readonly<Record<string, string>>): OpeningStatement {
  return setting(['role', role, ...Object.entries(settings).flat()]);
}

/** @param values - Names and values in turn. */
function setting(values: readonly string[]): OpeningStatement {
  return { name: `open_call_${values.length / 2}`, text: openingText(values.length / 2), values };
}

/** A cached token keeps the same claims object. */
const claimsTexts = new WeakMap<Caller['claims'], string>();

function claimsText(claims: Caller['claims']): string {
  const known = claimsTexts.get(claims);
  if (known !== undefined) return known;
  const text = JSON.stringify(claims);
  claimsTexts.set(claims, text);
  return text;
}

/** Statement texts by number of settings. */
const openingTexts: string[] = [];

function openingText(count: number): string {
  const known = openingTexts[count];
  if (known !== undefined) return known;
  const calls = Array.from({ length: count }, (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`);
  const text = `select num_nulls(${calls.join(', ')})`;
  openingTexts[count] = text;
  return text;
}

/** Begins a transaction of several statements. A single statement needs none. */
export const BEGIN: OpeningStatement = { name: 'begin', text: 'begin', values: [] };

/** Returns the openings of a transaction of several statements as the caller. */
export function beginning(caller: Caller, options: CallOptions): readonly OpeningStatement[] {
  return [BEGIN, opening(caller, options)];
}
