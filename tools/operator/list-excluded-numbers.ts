import type { User } from '@supabase/supabase-js';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { mayBeTexted } from '#server/delivery/sms/may-be-texted.ts';
import type { ServiceConnection } from './connect-to-service.ts';
import { listAccounts } from './list-accounts.ts';
import { UsageError } from './usage-error.ts';

/** A number of an account to which no SMS is sent. Does not contain the number itself. */
export interface ExcludedNumber {
  readonly account: string;
  /** ISO 3166; null for a number of no country, such as a satellite phone's. */
  readonly country: CountryCode | null;
  readonly use: 'phone' | 'second factor';
}

/** Parses a list of countries such as `IL,US`. Throws a UsageError for anything else. */
export function readCountries(list: string): ReadonlySet<CountryCode> {
  const codes = list.split(',').map((code) => code.trim());
  const known = codes.filter((code) => isSupportedCountry(code));
  if (known.length < codes.length) {
    throw new UsageError('--countries must be countries by their two letters (ISO 3166) such as IL,US.');
  }
  return new Set(known);
}

const PER_PAGE = 1_000;

/** Returns the proved numbers and second factors that get no SMS if only these countries are allowed. */
export async function listExcludedNumbers(
  service: ServiceConnection,
  countries: ReadonlySet<CountryCode>,
): Promise<ExcludedNumber[]> {
  const excluded: ExcludedNumber[] = [];
  for (let page = 1; ; page += 1) {
    const { users } = await listAccounts(service, { filter: '', page, perPage: PER_PAGE });
    excluded.push(...users.flatMap((user) => excludedNumbersOf(user, countries)));
    if (users.length < PER_PAGE) return excluded;
  }
}

function excludedNumbersOf(user: User, countries: ReadonlySet<CountryCode>): ExcludedNumber[] {
  const factors = (user.factors ?? []).filter(({ status }) => status === 'verified');
  const numbers = [
    ...(user.phone && user.phone_confirmed_at ? [[user.phone, 'phone'] as const] : []),
    ...factors.flatMap((factor) => (numberOf(factor) === '' ? [] : [[numberOf(factor), 'second factor'] as const])),
  ];
  return numbers
    .filter(([digits]) => !mayBeTexted(`+${digits}`, countries))
    .map(([digits, use]) => ({
      account: user.id,
      country: parsePhoneNumberFromString(`+${digits}`)?.country ?? null,
      use,
    }));
}

/** The official client's types lack a factor's number. */
function numberOf(factor: object): string {
  return 'phone' in factor && typeof factor.phone === 'string' ? factor.phone : '';
}
