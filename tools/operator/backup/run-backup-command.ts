import { join, resolve } from 'node:path';
import { listBackups, openBackup } from '#server/backup/backup-files.ts';
import { checkBackup } from '#server/backup/check-backup.ts';
import { keepEndings } from '#server/backup/endings/keep-endings.ts';
import { tryRestore } from '#server/backup/try-restore.ts';
import { writeBackup } from '#server/backup/write-backup.ts';
import { type Config, readEnvironment } from '#server/config.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { BlobStoreUnavailable } from '#server/storage/blobs/blob-store.ts';
import { formatTable } from '../print-table.ts';
import { type ProgressOutput, showProgress } from '../progress.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { describeBackup, describeRestored } from './describe-backup.ts';
import { readKeyFile, writeKeyFile } from './key-file.ts';
import { readSettings, withInstallation } from './open-installation.ts';
import type { BackupCommand } from './read-backup-command.ts';
import { endAgainFrom, restore } from './restore.ts';

type Surroundings = Output & { readonly stderr: ProgressOutput; readonly env: Readonly<NodeJS.Dict<string>> };

/** Runs the command and prints its result. Throws an OperatorError where it cannot be done. */
export async function runBackupCommand(command: BackupCommand, surroundings: Surroundings): Promise<void> {
  const { stdout, stderr, env } = surroundings;
  const log = logOver(stderr);
  const config = readSettings(readEnvironment(env));
  const folder = resolve(
    ('folder' in command ? command.folder : null) ?? config.backups?.folder ?? join(config.dataDirectory, 'backups'),
  );
  try {
    switch (command.name) {
      case 'create':
        return await create(config, {
          folder,
          publicKey: command.publicKey ?? config.backups?.publicKey ?? null,
          surroundings,
          log,
        });
      case 'create-key': {
        const publicKey = await writeKeyFile(command.file);
        return void stdout.write(
          `${publicKey}\nGive it to backup create as --to-key. Keep ${command.file} where backups are restored: without it they are lost.\n`,
        );
      }
      case 'list': {
        const found = await listBackups(folder);
        if (command.json) return void stdout.write(asJson(found));
        if (found.length === 0) return void stdout.write(`There are no backups in ${folder}.\n`);
        const rows = found.map(({ file, size, moment, release, encrypted }) => [
          moment ?? 'unreadable',
          `${size}`,
          encrypted ? 'encrypted' : (release ?? '–'),
          file,
        ]);
        return void stdout.write(formatTable(['MADE AT', 'BYTES', 'RELEASE', 'FILE'], rows));
      }
      case 'verify': {
        const { file, keyFile } = command;
        const keys = keyFile === null ? [] : await readKeyFile(keyFile);
        const checked = await openBackup(file, keys, checkBackup);
        const { added } = await openBackup(file, keys, (bytes) =>
          tryRestore(bytes, { ...checked, root: PROJECT_ROOT, log }),
        );
        return void stdout.write(`${file} can be restored.\n${describeBackup(checked)}${describeRestored({ added })}`);
      }
      case 'restore':
        return void stdout.write(await restore(config, command, log));
      case 'endings':
        await withInstallation(config, log, {
          isNew: false,
          work: ({ address }) => keepEndings(address, folder, new Date()),
        });
        return void stdout.write(`${folder} has a record of what ended.\n`);
      case 'end-again':
        return void stdout.write(await endAgainFrom(config, folder, log));
    }
  } catch (error) {
    if (error instanceof OperatorError || !(error instanceof Error)) throw error;
    // A failure of the database, the disk, or the object store.
    if (!('code' in error || error instanceof BlobStoreUnavailable)) throw error;
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    throw new OperatorError(`The ${command.name} failed: ${error.message}${cause}`, { cause: error });
  }
}

interface Creation {
  readonly folder: string;
  readonly publicKey: string | null;
  readonly surroundings: Pick<Surroundings, 'stdout' | 'stderr'>;
  readonly log: ServiceLog;
}

async function create(config: Config, { folder, publicKey, surroundings, log }: Creation): Promise<void> {
  const { stdout, stderr } = surroundings;
  const shown = new Map<string, (done: number) => void>();
  const written = await withInstallation(config, log, {
    isNew: false,
    work: ({ address, blobs }) =>
      writeBackup({
        folder,
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
  stdout.write(`${written.file}\n${describeBackup(written)}`);
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
