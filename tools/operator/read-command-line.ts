import { type BackupCommand, readBackupCommand } from './backup/read-backup-command.ts';
import { type DesksCommand, readDesksCommand } from './desks/read-desks-command.ts';
import { type OperatorsCommand, readOperatorsCommand } from './operators/read-operators-command.ts';
import { type OptionTypes, readNumber, readOptions } from './read-options.ts';
import { type ReportsCommand, readReportsCommand } from './reports/read-reports-command.ts';
import { readServiceCommand, type ServiceCommand } from './service/read-service-command.ts';
import {
  isStickersName,
  readStickersCommand,
  STICKERS_OPTIONS,
  type StickersCommand,
} from './stickers/read-stickers-command.ts';
import { UsageError } from './usage-error.ts';

/** A validated command, by its group: two groups may have commands of one name. */
export type Command =
  | { readonly group: 'help'; readonly topic: 'everything' | (typeof GROUPS)[number] }
  | { readonly group: 'users'; readonly command: UsersCommand }
  | { readonly group: 'sms'; readonly command: SmsCommand }
  | { readonly group: 'stickers'; readonly command: StickersCommand }
  | { readonly group: 'reports'; readonly command: ReportsCommand }
  | { readonly group: 'operators'; readonly command: OperatorsCommand }
  | { readonly group: 'desks'; readonly command: DesksCommand }
  | { readonly group: 'service'; readonly command: ServiceCommand }
  | { readonly group: 'backup'; readonly command: BackupCommand };

export interface SmsCommand {
  readonly name: 'excluded';
  readonly json: boolean;
  /** As typed; null to use the environment's list. */
  readonly countries: string | null;
}

export type UsersCommand =
  | {
      readonly name: 'list';
      readonly json: boolean;
      readonly filter: string;
      readonly page: number;
      readonly perPage: number;
    }
  | { readonly name: 'show' | 'unban' | 'sign-out' | 'send-link'; readonly json: boolean; readonly account: string }
  | { readonly name: 'make-link'; readonly json: boolean; readonly account: string; readonly reason: string | null }
  | { readonly name: 'ban'; readonly json: boolean; readonly account: string; readonly duration: string }
  | { readonly name: 'delete'; readonly json: boolean; readonly account: string; readonly softly: boolean }
  | {
      readonly name: 'export';
      readonly account: string;
      readonly file: string | null;
      readonly folder: string | null;
    };

/** A hundred years: until the account is unbanned. */
const UNTIL_UNBANNED = '876000h';

const OPTIONS = {
  list: { filter: 'string', page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  ban: { for: 'string', json: 'boolean' },
  unban: { json: 'boolean' },
  'sign-out': { json: 'boolean' },
  'send-link': { json: 'boolean' },
  'make-link': { reason: 'string', json: 'boolean' },
  delete: { yes: 'boolean', soft: 'boolean', json: 'boolean' },
  export: { out: 'string', files: 'string', json: 'boolean' },
} as const satisfies Record<UsersCommand['name'], OptionTypes>;

const SMS_OPTIONS = {
  excluded: { countries: 'string', json: 'boolean' },
} as const satisfies Record<SmsCommand['name'], OptionTypes>;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readCommandLine(words: readonly string[]): Command {
  const [group, name, ...rest] = words;
  if (group === undefined || group === 'help' || group === '--help' || group === '-h') {
    return { group: 'help', topic: 'everything' };
  }
  if (!isGroup(group)) {
    throw new UsageError(`There is no command ${JSON.stringify(group)}.`);
  }
  if (name === undefined || words.includes('--help') || words.includes('-h')) return { group: 'help', topic: group };
  switch (group) {
    case 'users':
      return { group, command: readUsersCommand(name, rest) };
    case 'sms':
      return { group, command: readSmsCommand(name, rest) };
    case 'stickers':
      if (!isStickersName(name)) throw new UsageError(`There is no command "stickers ${name}".`);
      return { group, command: readStickersCommand(name, readOptions(STICKERS_OPTIONS[name], rest)) };
    case 'reports':
      return { group, command: readReportsCommand(name, rest) };
    case 'operators':
      return { group, command: readOperatorsCommand(name, rest) };
    case 'desks':
      return { group, command: readDesksCommand(name, rest) };
    case 'service':
      return { group, command: readServiceCommand(name, rest) };
    case 'backup':
      return { group, command: readBackupCommand(name, rest) };
  }
}

const GROUPS = ['users', 'operators', 'service', 'desks', 'sms', 'stickers', 'reports', 'backup'] as const;

function isGroup(word: string): word is (typeof GROUPS)[number] {
  return GROUPS.some((group) => group === word);
}

function readUsersCommand(name: string, rest: readonly string[]): UsersCommand {
  if (!isUsersCommand(name)) throw new UsageError(`There is no command "users ${name}".`);
  const { flags, texts, words: accounts } = readOptions(OPTIONS[name], rest);
  const json = flags.has('json');
  const [account = '', ...others] = accounts;
  if (name === 'list') {
    if (account !== '') throw new UsageError('users list takes no account. To look for one, use --filter.');
    const page = readNumber('--page', texts.get('page') ?? '1', 1_000_000);
    const perPage = readNumber('--per-page', texts.get('per-page') ?? '50', 1_000);
    return { name, json, filter: texts.get('filter') ?? '', page, perPage };
  }
  if (account === '' || others.length > 0) {
    throw new UsageError(`users ${name} takes one account: an id or an email address.`);
  }
  switch (name) {
    case 'ban': {
      const duration = texts.get('for') ?? UNTIL_UNBANNED;
      if (!/^(\d+(\.\d+)?(s|m|h))+$/.test(duration)) {
        throw new UsageError('--for must be a duration such as 90m, 24h, or 720h.');
      }
      return { name, json, account, duration };
    }
    case 'make-link':
      return { name, json, account, reason: texts.get('reason') ?? null };
    case 'delete':
      if (!flags.has('yes')) throw new UsageError("You can't undo this. To delete the account, add --yes.");
      return { name, json, account, softly: flags.has('soft') };
    case 'export':
      return { name, account, file: texts.get('out') ?? null, folder: texts.get('files') ?? null };
    default:
      return { name, json, account };
  }
}

function readSmsCommand(name: string, rest: readonly string[]): SmsCommand {
  if (!isSmsName(name)) throw new UsageError(`There is no command "sms ${name}".`);
  const { flags, texts, words: named } = readOptions(SMS_OPTIONS[name], rest);
  if (named.length > 0) throw new UsageError(`sms ${name} takes no arguments.`);
  return { name, json: flags.has('json'), countries: texts.get('countries') ?? null };
}

function isSmsName(name: string): name is SmsCommand['name'] {
  return Object.hasOwn(SMS_OPTIONS, name);
}

function isUsersCommand(name: string): name is UsersCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}
