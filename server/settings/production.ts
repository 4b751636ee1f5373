import { NO_MAIL_SERVER } from './values.ts';

/** What a production server is given, as far as the checks need it. */
interface Given {
  readonly DEV_TEST_OTP?: string | undefined;
  readonly TEST_PHONE_NUMBERS: ReadonlyMap<string, string>;
  readonly DATABASE_URL?: string | undefined;
  readonly EMBEDDED_POSTGRES: boolean;
  readonly JWT_KEYS?: unknown;
  readonly REFRESH_TOKEN_SECRET?: string | undefined;
  readonly PUBLISHABLE_KEY?: string | undefined;
  readonly SECRET_KEY?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}

const AIDS = ['DEV_TEST_OTP', 'TEST_PHONE_NUMBERS'] as const;
/** Only a person knows them. */
const ASKED = ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'] as const;
const SECRETS = ['JWT_KEYS', 'REFRESH_TOKEN_SECRET', 'PUBLISHABLE_KEY', 'SECRET_KEY'] as const;

/**
 * Returns a sentence for each thing that a production server must not have, or lacks. The secrets may be missing with the
 * embedded database: the server then makes its own, which last as long as the database.
 */
export function productionProblems(given: Given): string[] {
  const aids = AIDS.filter((name) => (name === 'DEV_TEST_OTP' ? given[name] !== undefined : given[name].size > 0));
  return [
    ...aids.map(
      (name) =>
        `${name} is a development aid that would let any visitor in; a production server refuses to start with it.`,
    ),
    ...(given.DATABASE_URL === undefined && !given.EMBEDDED_POSTGRES
      ? [
          'DATABASE_URL is missing: give a PostgreSQL 15 or newer, or leave EMBEDDED_POSTGRES out to use the embedded one.',
        ]
      : []),
    ...ASKED.filter(
      (name) => given[name] === undefined && !(name === 'MAIL_FROM' && given.SMTP_URL === NO_MAIL_SERVER),
    ).map((name) => `${name} is missing: a production server needs it.`),
    ...(given.DATABASE_URL === undefined ? [] : SECRETS.filter((name) => given[name] === undefined)).map(
      (name) => `${name} is missing: with DATABASE_URL, the secrets have to be given, too (npm run --silent secrets).`,
    ),
  ];
}
