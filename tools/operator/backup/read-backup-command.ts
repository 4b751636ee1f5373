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
  | { readonly name: 'endings' | 'end-again'; readonly folder: string | null }
  | { readonly name: 'verify'; readonly file: string; readonly keyFile: string | null }
  | {
      readonly name: 'restore';
      readonly file: string;
      readonly keyFile: string | null;
      /** Whether what ended after the backup ends at once. */
      readonly endAgain: boolean;
    }
  | { readonly name: 'create-key'; readonly file: string };

const OPTIONS = {
  create: { folder: 'string', 'to-key': 'string' },
  list: { folder: 'string', json: 'boolean' },
  verify: { 'key-file': 'string' },
  restore: { 'key-file': 'string', 'end-again': 'boolean' },
  endings: { folder: 'string' },
  'end-again': { folder: 'string' },
  'create-key': {},
} as const satisfies Record<BackupCommand['name'], OptionTypes>;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readBackupCommand(name: string, rest: readonly string[]): BackupCommand {
  if (!isBackupName(name)) throw new UsageError(`There is no command "backup ${name}".`);
  const { flags, texts, words } = readOptions(OPTIONS[name], rest);
  if (name === 'create' || name === 'list' || name === 'endings' || name === 'end-again') {
    if (words.length > 0) throw new UsageError(`backup ${name} takes no arguments. To name a folder, use --folder.`);
    const folder = texts.get('folder') ?? null;
    if (name === 'list') return { name, folder, json: flags.has('json') };
    if (name === 'create') return { name, folder, publicKey: texts.get('to-key') ?? null };
    return { name, folder };
  }
  const [file = '', ...others] = words;
  if (file === '' || others.length > 0) throw new UsageError(`backup ${name} takes one file.`);
  if (name === 'create-key') return { name, file };
  const keyFile = texts.get('key-file') ?? null;
  return name === 'verify' ? { name, file, keyFile } : { name, file, keyFile, endAgain: flags.has('end-again') };
}

function isBackupName(name: string): name is BackupCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}
