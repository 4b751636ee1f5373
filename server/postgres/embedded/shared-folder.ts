import { chmod, mkdir } from 'node:fs/promises';
import { OperatorError } from '#server/operator-error.ts';

/** Root's folder for what another account must reach: programs, and the data of checkouts it cannot enter. */
export const SHARED_FOLDER = '/var/lib/reunite';

/** Creates a folder of root's that other accounts can pass through, whatever the umask. Its parent must exist. */
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
