import { createHash } from 'node:crypto';
import { nameOf } from './backup-names.ts';
import { type Created, type CreateOptions, createBackup } from './create-backup.ts';
import { encryptFor } from './encryption.ts';
import { keepEndings } from './endings/keep-endings.ts';
import type { BackupPlace } from './places/backup-place.ts';

export interface WriteOptions extends CreateOptions {
  readonly place: BackupPlace;
  /** The public key that it is encrypted for; null where it is not. */
  readonly publicKey: string | null;
  /** Ends the backup, which then leaves nothing. */
  readonly signal?: AbortSignal;
}

export interface Written extends Created {
  readonly name: string;
  /** Of the file. */
  readonly sha256: string;
}

/**
 * Makes a backup in a place. It has its name once it is whole and durable. Beside it is written what ended.
 *
 * @throws OperatorError where it cannot be written.
 */
export async function writeBackup({ place, publicKey, signal, ...options }: WriteOptions): Promise<Written> {
  const name = nameOf(new Date(), { encrypted: publicKey !== null });
  const written = await place.write(name, async (write) => {
    const hash = createHash('sha256');
    const pass = async (bytes: Buffer) => {
      signal?.throwIfAborted();
      hash.update(bytes);
      await write(bytes);
    };
    const encrypted = publicKey === null ? null : await encryptFor(publicKey, pass);
    const created = await createBackup(options, encrypted?.write ?? pass);
    await encrypted?.end();
    return { ...created, name, sha256: hash.digest('hex') };
  });
  await keepEndings(options.address, place, new Date());
  return written;
}
