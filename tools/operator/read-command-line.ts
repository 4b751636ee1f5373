import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/** A command as it was typed, checked. */
export type Command = { readonly name: 'help'; readonly topic: 'everything' | 'users' } | UsersCommand;

export type UsersCommand =
  | {
      readonly name: 'list';
      readonly json: boolean;
      readonly filter: string;
      readonly page: number;
      readonly perPage: number;
    }
  | { readonly name: 'show' | 'unban'; readonly json: boolean; readonly account: string }
  | { readonly name: 'ban'; readonly json: boolean; readonly account: string; readonly duration: string }
  | { readonly name: 'delete'; readonly json: boolean; readonly account: string; readonly softly: boolean }
  | {
      readonly name: 'export';
      readonly account: string;
      readonly file: string | null;
      readonly folder: string | null;
    };

/** Until somebody lifts it: a hundred years. */
const UNTIL_UNBANNED = '876000h';

const OPTIONS = {
  list: { filter: 'string', page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  ban: { for: 'string', json: 'boolean' },
  unban: { json: 'boolean' },
  delete: { yes: 'boolean', soft: 'boolean', json: 'boolean' },
  export: { out: 'string', files: 'string', json: 'boolean' },
} as const satisfies Record<UsersCommand['name'], Record<string, 'string' | 'boolean'>>;

/** Throws a UsageError for a command, an option or a value that there is not. */
export function readCommandLine(words: readonly string[]): Command {
  const [group, name, ...rest] = words;
  if (group === undefined || group === 'help' || group === '--help' || group === '-h') {
    return { name: 'help', topic: 'everything' };
  }
  if (group !== 'users') throw new UsageError(`There is no command ${JSON.stringify(group)}.`);
  if (name === undefined || words.includes('--help') || words.includes('-h')) return { name: 'help', topic: 'users' };
  if (!isUsersCommand(name)) throw new UsageError(`There is no command "users ${name}".`);

  const { flags, texts, accounts } = readOptions(name, rest);
  const json = flags.has('json');
  const [account = '', ...others] = accounts;
  if (name === 'list') {
    if (account !== '') throw new UsageError('users list takes no account; --filter looks for one.');
    const page = readNumber('--page', texts.get('page') ?? '1', 1_000_000);
    const perPage = readNumber('--per-page', texts.get('per-page') ?? '50', 1_000);
    return { name, json, filter: texts.get('filter') ?? '', page, perPage };
  }
  if (account === '' || others.length > 0) {
    throw new UsageError(`users ${name} takes one account: an id or an e-mail address.`);
  }
  switch (name) {
    case 'ban': {
      const duration = texts.get('for') ?? UNTIL_UNBANNED;
      if (!/^(\d+(\.\d+)?(s|m|h))+$/.test(duration)) {
        throw new UsageError('--for must be a duration such as 90m, 24h or 720h.');
      }
      return { name, json, account, duration };
    }
    case 'delete':
      if (!flags.has('yes')) throw new UsageError('Deleting cannot be undone: say --yes.');
      return { name, json, account, softly: flags.has('soft') };
    case 'export':
      return { name, account, file: texts.get('out') ?? null, folder: texts.get('files') ?? null };
    default:
      return { name, json, account };
  }
}

function isUsersCommand(name: string): name is UsersCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}

interface Options {
  readonly flags: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly accounts: readonly string[];
}

function readOptions(name: UsersCommand['name'], args: readonly string[]): Options {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, type] of Object.entries(OPTIONS[name])) options[option] = { type };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const flags = new Set<string>();
    const texts = new Map<string, string>();
    for (const [option, value] of Object.entries(values)) {
      if (value === true) flags.add(option);
      else if (typeof value === 'string') texts.set(option, value);
    }
    return { flags, texts, accounts: positionals };
  } catch (error) {
    // Its messages are made for whoever typed the command.
    if (error instanceof TypeError && 'code' in error) throw new UsageError(error.message);
    throw error;
  }
}

function readNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw new UsageError(`${option} must be a whole number from 1 to ${most}.`);
  return number;
}
