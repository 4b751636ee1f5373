import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { DATABASE, type EmbeddedPostgres } from './start-embedded-postgres.ts';
import { PASSWORD_FILE, SUPERUSER } from './superuser-password.ts';

/**
 * Returns the address of the engine that a service runs on this data folder, or null where none is ready there.
 *
 * @throws OperatorError where there is no database, or this account may not read its password.
 */
export async function findRunning(dataDirectory: string): Promise<EmbeddedPostgres['address'] | null> {
  const data = await realpath(dataDirectory).catch((cause) => {
    throw new OperatorError(
      `There is no embedded database in ${dataDirectory}. Give this command the settings of the service: DATA_DIRECTORY, or DATABASE_URL.`,
      { cause },
    );
  });
  const file = await readPostmasterFile(data);
  if (file?.ready !== true) return null;
  const password = await readFile(join(data, PASSWORD_FILE), 'utf8').catch((cause) => {
    throw new OperatorError(
      `The password of the database in ${data} cannot be read. Run this as the service's account.`,
      {
        cause,
      },
    );
  });
  return {
    host: file.socketFolder === '' ? '127.0.0.1' : file.socketFolder,
    port: Number(file.port),
    user: SUPERUSER,
    password: password.trim(),
    database: DATABASE,
  };
}
