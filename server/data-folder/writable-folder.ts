import { mkdir } from 'node:fs/promises';
import { OperatorError } from '#server/operator-error.ts';

/** A folder that this account may not write to, a system that is read-only, and a disk that is full. */
const REFUSALS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

/**
 * Creates the data folder where it is missing, and writes in it.
 *
 * @throws OperatorError that says why it cannot be written to
 */
export async function inWritableFolder(dataDirectory: string, write: () => Promise<void>): Promise<void> {
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await write();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !REFUSALS.has(error.code)) throw error;
    throw new OperatorError(
      `DATA_DIRECTORY, ${dataDirectory}, cannot be written to (${String(error.code)}). It must be a folder that the account ${process.getuid?.() ?? 'of the server'} may write to, with free space.`,
      { cause: error },
    );
  }
}
