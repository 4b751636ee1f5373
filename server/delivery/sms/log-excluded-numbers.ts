import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Dependencies } from '#server/dependencies.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';

/** The number of digits that determine a country: calling code and area. */
const DIGITS_OF_COUNTRY = 7;
/** Numbers of one statement. Small enough that a server that stops waits for no more than a moment. */
const PAGE = 5_000;

/** The columns and the rows match those of the index of each table. */
const SOURCES = {
  users: {
    name: 'excluded_numbers_of_users',
    from: 'auth.users where deleted_at is null',
    isUsed: 'phone_confirmed_at is not null',
  },
  factors: {
    name: 'excluded_numbers_of_factors',
    from: "auth.mfa_factors where status = 'verified'",
    isUsed: 'true',
  },
} as const;

export interface CountOptions extends Pick<Dependencies, 'delivery'> {
  readonly database: Pick<Database, 'asService'>;
  readonly log: Pick<ServiceLog, 'warn'>;
  readonly config: Pick<Dependencies['config'], 'smsCountries'>;
  /** Ends the count before its next statement; nothing is logged then. */
  readonly signal: AbortSignal;
}

/**
 * Tells the operator, as a server starts, how many numbers of accounts are of countries that `SMS_COUNTRIES` does not
 * name: proved numbers, and second factors by phone. It names countries, and never a number.
 */
export async function logExcludedNumbers({ database, config, delivery, log, signal }: CountOptions): Promise<void> {
  const { smsCountries } = config;
  if (!delivery.hasSms || smsCountries === 'all') return;
  const excluded = new Map<string, number>();
  for (const source of [SOURCES.users, SOURCES.factors]) {
    for await (const { sample, numbers } of readNumbers(database, source, signal)) {
      const country = parsePhoneNumberFromString(`+${sample}`)?.country;
      if (country !== undefined && smsCountries.has(country)) continue;
      const name = country ?? 'none';
      excluded.set(name, (excluded.get(name) ?? 0) + numbers);
    }
  }
  if (signal.aborted || excluded.size === 0) return;
  const numbers = [...excluded.values()].reduce((sum, one) => sum + one, 0);
  log.warn(
    { numbers, countries: Object.fromEntries([...excluded].sort()) },
    'Accounts use numbers of countries that SMS_COUNTRIES does not name, and are sent no SMS there. List them: npm run reunite -- sms excluded',
  );
}

interface NumbersOfCountry {
  readonly sample: string;
  readonly numbers: number;
}

/** Reads a table page by page, in the order of the numbers. */
async function* readNumbers(
  database: Pick<Database, 'asService'>,
  { name, from, isUsed }: (typeof SOURCES)[keyof typeof SOURCES],
  signal: AbortSignal,
): AsyncGenerator<NumbersOfCountry> {
  let last = '';
  while (!signal.aborted) {
    const { rows } = await database.asService<NumbersOfCountry & { readonly last: string }>({
      name,
      // With ties: several factors may have one number.
      text: `with page as materialized (
               select phone, ${isUsed} as is_used from ${from} and phone > $1
                 order by phone fetch first $2 rows with ties
             )
             select min(phone) as sample, max(phone) as last, (count(*) filter (where is_used))::int as numbers
               from page group by left(phone, ${DIGITS_OF_COUNTRY}) order by last`,
      values: [last, PAGE],
    });
    yield* rows.filter(({ numbers }) => numbers > 0);
    const end = rows.at(-1)?.last;
    if (end === undefined) return;
    last = end;
  }
}
