import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { readPostmasterFile } from '#server/postgres/embedded/postmaster-file.ts';
import type { ServiceProcess } from './service-process.ts';

/** Runs one statement in the database that the server started, as its superuser. Resolves with the rows. */
export async function queryDatabase<Row extends object>(
  { dataDirectory }: ServiceProcess,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const data = join(dataDirectory, 'postgres');
  const running = await readPostmasterFile(data);
  if (running === null) throw new Error('The embedded PostgreSQL does not run.');
  const connection = new Client({
    host: running.socketFolder === '' ? '127.0.0.1' : running.socketFolder,
    port: Number(running.port),
    user: 'reunite',
    password: (await readFile(join(data, 'reunite-password'), 'utf8')).trim(),
    database: 'reunite',
  });
  await connection.connect();
  try {
    return (await connection.query<Row>(text, values)).rows;
  } finally {
    await connection.end();
  }
}
