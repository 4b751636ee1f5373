import { chmod, mkdir } from 'node:fs/promises';
import { OperatorError } from '#server/operator-error.ts';

/** Where root keeps what another account must reach: programs, and the data of checkouts that it can't enter. */
export const SHARED_FOLDER = '/var/lib/reunite';

/** Makes a folder of root's that other accounts may pass through, whatever the umask is. Its parent exists. */
export async function makePassage(folder: string): Promise<void> {
  try {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await chmod(folder, 0o711);
  } catch (cause) {
    throw new OperatorError(
      `PostgreSQL does not run as root, and the account that it runs as cannot enter this checkout; ${folder}, where its files would go, cannot be made. Start as an ordinary user, move the checkout, or set DATABASE_URL.`,
      { cause },
    );
  }
}
