import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '#server/data-folder/whole-file.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import { nameOf, removeAbandoned } from './backup-files.ts';
import { type Created, type CreateOptions, createBackup } from './create-backup.ts';
import { encryptFor } from './encryption.ts';
import { keepEndings } from './endings/keep-endings.ts';

export interface WriteOptions extends CreateOptions {
  readonly folder: string;
  /** The public key that it is encrypted for; null where it is not. */
  readonly publicKey: string | null;
  /** Ends the backup, which then leaves nothing. */
  readonly signal?: AbortSignal;
}

export interface Written extends Created {
  readonly file: string;
  /** Of the file. */
  readonly sha256: string;
}

/**
 * Makes a backup in a folder. It has its name once it is whole and durable. Beside it is written what ended.
 *
 * @throws OperatorError where it cannot be written.
 */
export async function writeBackup({ folder, publicKey, signal, ...options }: WriteOptions): Promise<Written> {
  const now = new Date();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder, now);
  const file = join(folder, nameOf(now, { encrypted: publicKey !== null }));
  const written = await writeWholeFile(file, async (out) => {
    // A failure between two writes, such as a full disk, is thrown by the next one.
    out.on('error', () => undefined);
    const hash = createHash('sha256');
    const pass = async (bytes: Buffer) => {
      signal?.throwIfAborted();
      hash.update(bytes);
      await write(out, bytes);
    };
    const encrypted = publicKey === null ? null : await encryptFor(publicKey, pass);
    const created = await createBackup(options, encrypted?.write ?? pass);
    await encrypted?.end();
    if (out.errored) throw out.errored;
    const closed = once(out, 'close');
    out.end();
    await closed;
    return { ...created, file, sha256: hash.digest('hex') };
  });
  await flushFolder(folder);
  await keepEndings(options.address, folder, new Date());
  return written;
}

async function write(out: WriteStream, bytes: Buffer): Promise<void> {
  if (out.errored) throw out.errored;
  if (!out.write(bytes)) await once(out, 'drain');
}
