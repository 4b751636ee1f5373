import { join } from 'node:path';
import { listBackups, openBackup } from '#server/backup/backup-files.ts';
import { checkBackup } from '#server/backup/check-backup.ts';
import { keepEndings } from '#server/backup/endings/keep-endings.ts';
import { type BackupPlace, openPlace, placeOf } from '#server/backup/places/backup-place.ts';
import { tryRestore } from '#server/backup/try-restore.ts';
import { writeBackup } from '#server/backup/write-backup.ts';
import { type Config, readEnvironment } from '#server/config.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { BlobStoreUnavailable } from '#server/storage/blobs/blob-store.ts';
import { formatTable } from '../print-table.ts';
import { type ProgressOutput, showProgress } from '../progress.ts';
import { type Call, readOptions, readWord, refuseWords, type Surroundings } from '../read-options.ts';
import { asJson } from '../write-json.ts';
import { describeBackup, describeRestored } from './describe-backup.ts';
import { readKeyFile, writeKeyFile } from './key-file.ts';
import { readSettings, withInstallation } from './open-installation.ts';
import { endAgainFrom, restore } from './restore.ts';

const OPTIONS = {
  create: { folder: 'string', 'to-key': 'string' },
  list: { folder: 'string', json: 'boolean' },
  verify: { 'key-file': 'string' },
  restore: { 'key-file': 'string', 'end-again': 'boolean' },
  endings: { folder: 'string' },
  'end-again': { folder: 'string' },
  'create-key': {},
} as const;

export async function runBackupCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const { stdout, stderr, env } = call;
  let file = '';
  if ('folder' in OPTIONS[name])
    refuseWords(words, `backup ${name} takes no arguments. To name a folder, use --folder.`);
  else file = readWord(words, `backup ${name} takes one file.`);
  const log = logOver(stderr);
  const config = readSettings(readEnvironment(env));
  const to = texts.get('folder') ?? config.backups?.to ?? join(config.dataDirectory, 'backups');
  const placed = () => openPlace(to, config.objectStore);
  const keyFile = texts.get('key-file');
  const readKeys = async () => (keyFile === undefined ? [] : readKeyFile(keyFile));
  try {
    switch (name) {
      case 'create':
        return await create(config, {
          place: placed(),
          publicKey: texts.get('to-key') ?? config.backups?.publicKey ?? null,
          surroundings: call,
          log,
        });
      case 'create-key': {
        const publicKey = await writeKeyFile(file);
        return void stdout.write(
          `${publicKey}\nGive it to backup create as --to-key. Keep ${file} where backups are restored: without it they are lost.\n`,
        );
      }
      case 'list': {
        const place = placed();
        const found = await listBackups(place);
        if (flags.has('json')) return void stdout.write(asJson(found));
        if (found.length === 0) return void stdout.write(`There are no backups in ${place.address}.\n`);
        const rows = found.map(({ file, size, moment, release, encrypted }) => [
          moment ?? 'unreadable',
          `${size}`,
          encrypted ? 'encrypted' : (release ?? '–'),
          file,
        ]);
        return void stdout.write(formatTable(['MADE AT', 'BYTES', 'RELEASE', 'FILE'], rows));
      }
      case 'verify': {
        const keys = await readKeys();
        const backup = placeOf(file, config.objectStore);
        const checked = await openBackup(backup, keys, checkBackup);
        const { added } = await openBackup(backup, keys, (bytes) =>
          tryRestore(bytes, { ...checked, root: PROJECT_ROOT, log }),
        );
        return void stdout.write(`${file} can be restored.\n${describeBackup(checked)}${describeRestored({ added })}`);
      }
      case 'restore':
        return void stdout.write(
          await restore(config, { file, keys: await readKeys(), isEnding: flags.has('end-again') }, log),
        );
      case 'endings': {
        const place = placed();
        await withInstallation(config, log, {
          isNew: false,
          work: ({ address }) => keepEndings(address, place, new Date()),
        });
        return void stdout.write(`${place.address} has a record of what ended.\n`);
      }
      case 'end-again':
        return void stdout.write(await endAgainFrom(config, placed(), log));
    }
  } catch (error) {
    if (error instanceof OperatorError || !(error instanceof Error)) throw error;
    // A failure of the database, the disk, or the object store.
    if (!('code' in error || error instanceof BlobStoreUnavailable)) throw error;
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    throw new OperatorError(`The ${name} failed: ${error.message}${cause}`, { cause: error });
  }
}

interface Creation {
  readonly place: BackupPlace;
  readonly publicKey: string | null;
  readonly surroundings: Pick<Surroundings, 'stdout' | 'stderr'>;
  readonly log: ServiceLog;
}

async function create(config: Config, { place, publicKey, surroundings, log }: Creation): Promise<void> {
  const { stdout, stderr } = surroundings;
  const shown = new Map<string, (done: number) => void>();
  const written = await withInstallation(config, log, {
    isNew: false,
    work: ({ address, blobs }) =>
      writeBackup({
        place,
        publicKey,
        address,
        root: PROJECT_ROOT,
        blobs,
        onProgress(what, done, total) {
          if (!shown.has(what)) shown.set(what, showProgress(stderr, what, total));
          shown.get(what)?.(done);
        },
      }),
  });
  stdout.write(`${place.addressOf(written.name)}\n${describeBackup(written)}`);
  stdout.write(
    'Keep the settings with the secrets apart from it. They are not in it, and it is of little use without them.\n',
  );
}

/** What the operator must know of the database's start; the rest is for the log of a server. */
function logOver(stderr: ProgressOutput): ServiceLog {
  const print = (fields: object, message: string) => {
    const { err } = fields as { readonly err?: unknown };
    stderr.write(`${message}${err instanceof Error ? ` (${err.message})` : ''}\n`);
  };
  return { debug: () => undefined, info: () => undefined, warn: print, error: print };
}
