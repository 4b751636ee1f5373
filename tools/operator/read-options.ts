import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { ServiceConnection } from './connect-to-service.ts';
import type { ProgressOutput } from './progress.ts';
import { UsageError } from './usage-error.ts';

export type OptionTypes = Readonly<Record<string, 'string' | 'boolean'>>;

export interface Output {
  readonly stdout: { write(text: string): unknown };
}

/** What a command line takes from the process that it runs in. */
export interface Surroundings extends Output {
  readonly stderr: ProgressOutput;
  readonly env: Readonly<NodeJS.Dict<string>>;
}

/** A command line behind the name of a group, such as `users`. */
export interface Call extends Surroundings {
  readonly group: string;
  readonly name: string;
  readonly rest: readonly string[];
  connect(): Promise<ServiceConnection>;
}

/** What a command was given. */
export interface Options<Name extends string = string> {
  readonly name: Name;
  readonly flags: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  /** What is not an option. */
  readonly words: readonly string[];
}

/** Throws a UsageError for a command that is not among those of the group, and for an option that is not among its own. */
export function readOptions<Name extends string>(
  commands: Readonly<Record<Name, OptionTypes>>,
  { group, name, rest }: Pick<Call, 'group' | 'name' | 'rest'>,
): Options<Name> {
  if (!isKey(commands, name)) throw new UsageError(`There is no command "${group} ${name}".`);
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, type] of Object.entries(commands[name])) options[option] = { type };
  try {
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true });
    const flags = new Set<string>();
    const texts = new Map<string, string>();
    for (const [option, value] of Object.entries(values)) {
      if (value === true) flags.add(option);
      else if (typeof value === 'string') texts.set(option, value);
    }
    return { name, flags, texts, words: positionals };
  } catch (error) {
    // These messages of Node are written for the user.
    if (error instanceof TypeError && 'code' in error) throw new UsageError(error.message);
    throw error;
  }
}

/** Whether the record has the key itself, and does not inherit it. */
export function isKey<Key extends string>(record: Readonly<Record<Key, unknown>>, key: string): key is Key {
  return Object.hasOwn(record, key);
}

/** The one thing that a command is about. Throws a UsageError with the message where there is none, or several. */
export function readWord([word = '', ...others]: Options['words'], message: string): string {
  if (word.trim() === '' || others.length > 0) throw new UsageError(message);
  return word;
}

/** Throws a UsageError with the message where the command is given something beside options. */
export function refuseWords(words: Options['words'], message: string): void {
  if (words.length > 0) throw new UsageError(message);
}

/** The page of a list: `--page` and `--per-page`. */
export function readPage(texts: Options['texts']): { readonly page: number; readonly perPage: number } {
  return {
    page: readNumber('--page', texts.get('page') ?? '1', 1_000_000),
    perPage: readNumber('--per-page', texts.get('per-page') ?? '50', 1_000),
  };
}

/** Throws a UsageError where the text is not a whole number from 1 to `most`. */
export function readNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw new UsageError(`${option} must be a whole number from 1 to ${most}.`);
  return number;
}

/** The most characters of the reason for which codes are void, as the database has it. */
export const VOID_REASON_LENGTH = 200;

/**
 * Returns the text of an option without spaces around it, or null where nothing is left or it was not given. Throws a UsageError where it has
 * several lines or more characters than `most`.
 */
export function readText(option: string, text: string | undefined, most: number): string | null {
  const trimmed = (text ?? '').trim();
  if (/\p{Cc}/u.test(trimmed)) throw new UsageError(`--${option} must be one line without control characters.`);
  if ([...trimmed].length > most) throw new UsageError(`--${option} must have at most ${most} characters.`);
  return trimmed === '' ? null : trimmed;
}

/** What stands below a page of a list. */
export function pageLine({ page, perPage }: ReturnType<typeof readPage>, what: string, total: number): string {
  return `\nPage ${page} of ${Math.max(1, Math.ceil(total / perPage))}; ${what}: ${total}\n`;
}
