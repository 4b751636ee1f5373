import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export type OptionTypes = Readonly<Record<string, 'string' | 'boolean'>>;

/** What a command was given. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  /** What is not an option. */
  readonly words: readonly string[];
}

/** Throws a UsageError for an option that is not among the types. */
export function readOptions(types: OptionTypes, args: readonly string[]): Options {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, type] of Object.entries(types)) options[option] = { type };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const flags = new Set<string>();
    const texts = new Map<string, string>();
    for (const [option, value] of Object.entries(values)) {
      if (value === true) flags.add(option);
      else if (typeof value === 'string') texts.set(option, value);
    }
    return { flags, texts, words: positionals };
  } catch (error) {
    // These messages of Node are written for the user.
    if (error instanceof TypeError && 'code' in error) throw new UsageError(error.message);
    throw error;
  }
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
 * Returns the text without spaces around it, or null where nothing is left. Throws a UsageError where it has several lines
 * or more characters than `most`.
 */
export function readText(option: string, text: string, most: number): string | null {
  const trimmed = text.trim();
  if (/\p{Cc}/u.test(trimmed)) throw new UsageError(`--${option} must be one line without control characters.`);
  if ([...trimmed].length > most) throw new UsageError(`--${option} must have at most ${most} characters.`);
  return trimmed === '' ? null : trimmed;
}
