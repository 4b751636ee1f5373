import { type OptionTypes, readOptions } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

export type BackupCommand =
  | {
      readonly name: 'create';
      /** Null for the folder in the data folder. */
      readonly folder: string | null;
      /** The public key that it is encrypted for; null where it is not. */
      readonly publicKey: string | null;
    }
  | { readonly name: 'list'; readonly folder: string | null; readonly json: boolean }
  | { readonly name: 'verify' | 'restore'; readonly file: string; readonly keyFile: string | null }
  | { readonly name: 'create-key'; readonly file: string };

const OPTIONS = {
  create: { folder: 'string', 'to-key': 'string' },
  list: { folder: 'string', json: 'boolean' },
  verify: { 'key-file': 'string' },
  restore: { 'key-file': 'string' },
  'create-key': {},
} as const satisfies Record<BackupCommand['name'], OptionTypes>;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readBackupCommand(name: string, rest: readonly string[]): BackupCommand {
  if (!isBackupName(name)) throw new UsageError(`There is no command "backup ${name}".`);
  const { flags, texts, words } = readOptions(OPTIONS[name], rest);
  if (name === 'create' || name === 'list') {
    if (words.length > 0) throw new UsageError(`backup ${name} takes no arguments. To name a folder, use --folder.`);
    const folder = texts.get('folder') ?? null;
    if (name === 'list') return { name, folder, json: flags.has('json') };
    return { name, folder, publicKey: texts.get('to-key') ?? null };
  }
  const [file = '', ...others] = words;
  if (file === '' || others.length > 0) throw new UsageError(`backup ${name} takes one file.`);
  return name === 'create-key' ? { name, file } : { name, file, keyFile: texts.get('key-file') ?? null };
}

function isBackupName(name: string): name is BackupCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}
