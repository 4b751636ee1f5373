import { type OptionTypes, readOptions } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

export type BackupCommand =
  | {
      readonly name: 'create';
      /** Null for the folder in the data folder. */
      readonly folder: string | null;
    }
  | { readonly name: 'list'; readonly folder: string | null; readonly json: boolean }
  | { readonly name: 'verify' | 'restore'; readonly file: string };

const OPTIONS = {
  create: { folder: 'string' },
  list: { folder: 'string', json: 'boolean' },
  verify: {},
  restore: {},
} as const satisfies Record<BackupCommand['name'], OptionTypes>;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readBackupCommand(name: string, rest: readonly string[]): BackupCommand {
  if (!isBackupName(name)) throw new UsageError(`There is no command "backup ${name}".`);
  const { flags, texts, words } = readOptions(OPTIONS[name], rest);
  if (name === 'create' || name === 'list') {
    if (words.length > 0) throw new UsageError(`backup ${name} takes no arguments. To name a folder, use --folder.`);
    const folder = texts.get('folder') ?? null;
    return name === 'create' ? { name, folder } : { name, folder, json: flags.has('json') };
  }
  const [file = '', ...others] = words;
  if (file === '' || others.length > 0) throw new UsageError(`backup ${name} takes one backup: its file.`);
  return { name, file };
}

function isBackupName(name: string): name is BackupCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}
