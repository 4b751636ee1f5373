import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkBackup } from '#server/backup/check-backup.ts';
import { type Created, createBackup } from '#server/backup/create-backup.ts';
import { encryptFor } from '#server/backup/encryption.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { restoreFiles } from '#server/backup/restore-files.ts';
import { tryRestore } from '#server/backup/try-restore.ts';
import { type Config, readEnvironment } from '#server/config.ts';
import { flushFolder } from '#server/data-folder/whole-file.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { BlobStoreUnavailable } from '#server/storage/blobs/blob-store.ts';
import { arrivingFolder } from '#server/storage/open-storage-files.ts';
import { formatTable } from '../print-table.ts';
import { type ProgressOutput, showProgress } from '../progress.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import { listBackups, nameOf, openBackup, removeAbandoned } from '#server/backup/backup-files.ts';
import { describeBackup, describeRestored } from './describe-backup.ts';
import { readKeyFile, writeKeyFile } from './key-file.ts';
import { readSettings, withInstallation } from './open-installation.ts';
import type { BackupCommand } from './read-backup-command.ts';

type Surroundings = Output & { readonly stderr: ProgressOutput; readonly env: Readonly<NodeJS.Dict<string>> };

/** Runs the command and prints its result. Throws an OperatorError where it cannot be done. */
export async function runBackupCommand(command: BackupCommand, surroundings: Surroundings): Promise<void> {
  const { stdout, stderr, env } = surroundings;
  const log = logOver(stderr);
  const config = readSettings(readEnvironment(env));
  const folder = resolve(('folder' in command ? command.folder : null) ?? join(config.dataDirectory, 'backups'));
  try {
    switch (command.name) {
      case 'create':
        return await create(config, { folder, publicKey: command.publicKey, surroundings, log });
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
      case 'restore': {
        const { file, keyFile } = command;
        const keys = keyFile === null ? [] : await readKeyFile(keyFile);
        const checked = await openBackup(file, keys, checkBackup);
        const restored = await withInstallation(config, log, {
          isNew: true,
          work: ({ address, blobs }) =>
            openBackup(file, keys, (bytes) =>
              restoreBackup(bytes, {
                address,
                root: PROJECT_ROOT,
                log,
                files: restoreFiles(blobs, arrivingFolder(config.dataDirectory)),
                now: new Date(),
              }),
            ),
        });
        return void stdout.write(`${file} was restored.\n${describeBackup(checked)}${describeRestored(restored)}`);
      }
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
  const now = new Date();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder, now);
  const file = join(folder, nameOf(now, { encrypted: publicKey !== null }));
  const shown = new Map<string, (done: number) => void>();
  const created: Created = await withInstallation(config, log, {
    isNew: false,
    work: ({ address, blobs }) =>
      writeWholeFile(file, async (out) => {
        // A failure between two writes, such as a full disk, is thrown by the next one.
        out.on('error', () => undefined);
        const pass = (bytes: Buffer) => write(out, bytes);
        const encrypted = publicKey === null ? null : await encryptFor(publicKey, pass);
        const made = await createBackup(
          {
            address,
            root: PROJECT_ROOT,
            blobs,
            onProgress(what, done, total) {
              if (!shown.has(what)) shown.set(what, showProgress(stderr, what, total));
              shown.get(what)?.(done);
            },
          },
          encrypted?.write ?? pass,
        );
        await encrypted?.end();
        if (out.errored) throw out.errored;
        const closed = once(out, 'close');
        out.end();
        await closed;
        return made;
      }),
  });
  await flushFolder(folder);
  stdout.write(`${file}\n${describeBackup(created)}`);
  stdout.write(
    'Keep the settings with the secrets apart from it. They are not in it, and it is of little use without them.\n',
  );
}

async function write(out: WriteStream, bytes: Buffer): Promise<void> {
  if (out.errored) throw out.errored;
  if (!out.write(bytes)) await once(out, 'drain');
}

/** What the operator must know of the database's start; the rest is for the log of a server. */
function logOver(stderr: ProgressOutput): ServiceLog {
  const print = (fields: object, message: string) => {
    const { err } = fields as { readonly err?: unknown };
    stderr.write(`${message}${err instanceof Error ? ` (${err.message})` : ''}\n`);
  };
  return { debug: () => undefined, info: () => undefined, warn: print, error: print };
}
