import { isBlank, mayBeSetUp } from '#server/settings/stored-settings.ts';
import { NO_MAIL_SERVER } from '#server/settings/values.ts';

/** What a person has to say, and no default can. */
export type Asked = 'PUBLIC_URL' | 'SMTP_URL' | 'MAIL_FROM';

/** What may be left empty: settings with a default, and the operator's account. */
export type Offered = 'PRODUCT_NAME' | 'STICKER_URL' | 'operator';

/** Well-formed, and never used: they stand in until a person has given the settings. */
const STAND_INS: Readonly<Record<Asked, string>> = {
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'nobody@localhost',
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the settings that the set-up page has to ask for; none where the environment and the stored ones suffice. */
export function missingSettings(environment: Environment): ReadonlySet<Asked> {
  if (!mayBeSetUp(environment)) return new Set();
  const names = ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'] as const;
  const hasMail = environment.SMTP_URL?.trim() !== NO_MAIL_SERVER;
  return new Set(names.filter((name) => isBlank(environment[name]) && (hasMail || name !== 'MAIL_FROM')));
}

/** Returns what the set-up page offers beside. With a database that is there, an operator is added by the command line. */
export function offeredSettings(
  environment: Environment,
  { hasDatabase }: { readonly hasDatabase: boolean },
): ReadonlySet<Offered> {
  const names = ['PRODUCT_NAME', 'STICKER_URL'] as const;
  const offered: Offered[] = names.filter((name) => isBlank(environment[name]));
  return new Set(hasDatabase ? offered : [...offered, 'operator']);
}

/** Returns the environment with stand-ins for what is missing, so that everything else in it can be checked. */
export function withStandIns(environment: Environment, missing: ReadonlySet<Asked>): Environment {
  return { ...environment, ...Object.fromEntries([...missing].map((name) => [name, STAND_INS[name]])) };
}
