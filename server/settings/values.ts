import { availableParallelism } from 'node:os';
import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import { LANGUAGE_LIST } from '#domain/language-list.ts';

/** Formats of environment variables. Each schema converts the text to a value, or says what it must be. */

export const flag = (fallback: boolean) =>
  v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'must be true or false'),
      v.transform((text) => text === 'true'),
    ),
    fallback ? 'true' : 'false',
  );

export const wholeNumber = (fallback: number, least: number, most: number) =>
  v.optional(numberWithin(least, most), String(fallback));

/** Undefined where the variable is not set. */
export const wholeNumberIfSet = (least: number, most: number) => v.optional(numberWithin(least, most));

function numberWithin(least: number, most: number) {
  const problem = `must be a whole number from ${least} to ${most}`;
  return v.pipe(
    v.string(),
    // Every number of 15 digits is exact.
    v.regex(/^\d{1,15}$/, problem),
    v.transform(Number),
    v.minValue(least, problem),
    v.maxValue(most, problem),
  );
}

const MOST_PROCESSES = 64;

/** A number of processes; `auto` is one for each core. */
export const processCount = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^(auto|\d{1,4})$/, `must be auto, or a whole number from 1 to ${MOST_PROCESSES}`),
    v.transform((value) => (value === 'auto' ? Math.min(availableParallelism(), MOST_PROCESSES) : Number(value))),
    v.minValue(1, `must be auto, or a whole number from 1 to ${MOST_PROCESSES}`),
    v.maxValue(MOST_PROCESSES, `must be auto, or a whole number from 1 to ${MOST_PROCESSES}`),
  ),
  '1',
);

const LANGUAGE_PROBLEM = `must be one of ${LANGUAGE_LIST.map(({ tag }) => tag).join(', ')}`;

/** The tag of a language of ours, in any case. */
export const listedLanguage = v.pipe(
  v.string(),
  v.transform((tag) => LANGUAGE_LIST.find((language) => language.tag.toLowerCase() === tag.toLowerCase())),
  v.custom<(typeof LANGUAGE_LIST)[number]>((language) => language !== undefined, LANGUAGE_PROBLEM),
);

export const text = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

/** Parts between commas; empty ones are dropped. */
export const commaSeparated = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
);

/** Domains in the form in which addresses are compared: lower case and ASCII. */
export const domains = v.optional(
  v.pipe(
    commaSeparated,
    v.transform((entries) => entries.map((entry) => domainToASCII(entry.toLowerCase()))),
    v.everyItem(
      (entry) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(entry),
      'must be domains such as mail.example.org, comma separated, without an @ or a wildcard: each stands for those below it, too',
    ),
  ),
  '',
);

export const addresses = v.optional(
  v.pipe(
    commaSeparated,
    v.check(
      (entries) => entries.every(isPlainAddress),
      'must be addresses such as https://app.example.org/welcome, comma separated, without a fragment, a name or a wildcard',
    ),
  ),
  '',
);

/** Names of schemas that need no quoting. */
export const schemaNames = (fallback: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.split(',').map((name) => name.trim())),
      v.check(
        (names) => names.every((name) => /^[a-z_][a-z0-9_]{0,62}$/.test(name)),
        'must be names of schemas in lower case (a-z, 0-9 and _), comma separated',
      ),
    ),
    fallback,
  );

/** Phone numbers in E.164, each with its fixed code. */
export const testNumbers = v.optional(
  v.pipe(
    commaSeparated,
    v.everyItem(
      (entry) => /^\+[1-9]\d{1,14}=\d{6}$/.test(entry),
      'must be numbers with their codes such as +15550100=123456, comma separated',
    ),
    v.transform((entries) => new Map(entries.map((entry) => [entry.slice(0, -7), entry.slice(-6)]))),
  ),
  '',
);

/** One line of JSON that matches a schema. `mustBe` describes it in the error message. */
export const json = <Output>(schema: v.GenericSchema<unknown, Output>, mustBe: string) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): Output => {
      const parsed = v.safeParse(schema, parseJson(dataset.value));
      if (parsed.success) return parsed.output;
      addIssue({ message: mustBe });
      return NEVER;
    }),
  );

/** Returns undefined where the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const webOrigin = v.pipe(
  v.string(),
  v.check((value) => isWebOrigin(value), 'must be an address such as https://lost.example.org, without a path'),
  v.transform((value) => new URL(value).origin),
);

/** Origins, comma separated. */
export const webOrigins = v.optional(
  v.pipe(
    commaSeparated,
    v.everyItem(isWebOrigin, 'must be addresses such as https://old.example.org, comma separated, without a path'),
    v.transform((entries) => entries.map((entry) => new URL(entry).origin)),
  ),
  '',
);

function isWebOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, pathname, search, hash, username, password } = new URL(value);
  const bare = pathname === '/' && search === '' && hash === '' && username === '' && password === '';
  return bare && (protocol === 'https:' || protocol === 'http:');
}

/** Without a comma between hosts or ports, which libpq takes for several servers and the driver for one. */
const ONE_SERVER = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#,]*(?:\/[^?#]*)?(?:\?(?!(?:.*&)?(?:host|port)=[^&]*,).*)?$/;

/** The format of DATABASE_URL. The connection itself is tested when it is opened. */
export const postgresAddress = v.pipe(
  v.string(),
  v.check(
    (value) => ONE_SERVER.test(value) && URL.canParse(value),
    'must be postgres://user:password@host/database of one server, which may be a proxy before several, with what is not a letter or a digit in the password percent-encoded (# is %23)',
  ),
);

const MAIL_ADDRESS = '[^\\s<>@,]+@[^\\s<>@,]+';
const SENDER = new RegExp(`^(?:(?:"[^"\\r\\n]*" ?|[^<>",\\r\\n]*)<${MAIL_ADDRESS}>|${MAIL_ADDRESS})$`);

/** One email address, alone. */
export const mailAddress = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${MAIL_ADDRESS}$`), 'must be one address, such as operator@lost.example.org'),
);

/** The sender of emails: an address, alone or with a name. */
export const mailSender = v.pipe(
  v.string(),
  v.regex(SENDER, 'must be one address, alone or as Reunite <noreply@lost.example.org>'),
);

/** As `SMTP_URL`: the operator has no mail server. */
export const NO_MAIL_SERVER = 'none';

export function isMailServer(value: string): boolean {
  if (value === NO_MAIL_SERVER) return true;
  return /^smtps?:\/\//.test(value) && URL.canParse(value) && new URL(value).hostname !== '';
}

/** Whether every program parses the URL alike. Schemes other than the web's belong to apps. */
function isPlainAddress(value: string): boolean {
  if (!URL.canParse(value) || /[\s\\*#]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return username === '' && password === '' && !/^(javascript|data|vbscript|file|blob):$/.test(protocol);
}
