import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { MigrationError } from '../migrations/migration-error.ts';
import { copyIn, copyOut } from './copy.ts';
import { type BackedUpSequence, type BackedUpTable, copyStatement, describeTables } from './own-tables.ts';

/** Rows of one table, in PostgreSQL's text format. */
export interface TableRows {
  readonly table: BackedUpTable;
  readonly rows: AsyncIterable<Uint8Array>;
}

/**
 * Fills new tables, without their triggers: what these would enqueue and announce happened long ago. The rows that the
 * tables were created with are replaced. Columns that a table does not have, which an operator has added, are added with
 * their rows, and returned as `public.items.color`.
 *
 * @throws MigrationError with PostgreSQL's error as its cause.
 */
export async function fillTables(
  client: Client,
  { tables, sequences }: { readonly tables: readonly BackedUpTable[]; readonly sequences: readonly BackedUpSequence[] },
  contents: AsyncIterable<TableRows>,
): Promise<string[]> {
  const names = tables.map(({ name }) => name);
  const progress = { table: names.join(', ') };
  try {
    await client.query(
      `set local role none; set local statement_timeout = 0; set local row_security = off;
       set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local search_path = pg_catalog`,
    );
    const added: string[] = [];
    for (const present of await describeTables(client, names)) {
      const wanted = tables.find(({ name }) => name === present.name)?.columns ?? [];
      for (const { name, type } of wanted) {
        if (present.columns.some((column) => column.name === name)) continue;
        await client.query(`alter table ${present.name} add column ${name} ${type}`);
        added.push(`${present.name}.${name}`);
      }
    }
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${names.join(', ')}`);
    for await (const { table, rows } of contents) {
      progress.table = table.name;
      const columns = table.columns.map(({ name }) => name).join(', ');
      await copyIn(client, `copy ${table.name} (${columns}) from stdin`, rows);
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    for (const { table, column, last } of sequences) {
      await client.query('select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)', [
        table,
        column,
        last,
      ]);
    }
    return added;
  } catch (cause) {
    if (!(cause instanceof Error && 'severity' in cause)) throw cause;
    throw new MigrationError(`${progress.table} could not be restored: ${cause.message}`, { cause });
  }
}

/** What can be redeemed once. Some of it may have been redeemed after the backup. */
const ONE_TIME = ['auth.one_time_tokens', 'auth.authorization_codes', 'auth.mfa_challenges', 'auth.oidc_flows'];

/** Removes codes and links that can be redeemed once. Returns their number. */
export async function removeOneTimeCodes(client: Client, tables: readonly BackedUpTable[]): Promise<number> {
  let removed = 0;
  for (const name of ONE_TIME.filter((name) => tables.some((table) => table.name === name))) {
    removed += (await client.query(`delete from ${name}`)).rowCount ?? 0;
  }
  return removed;
}

/** The rows of a table, and their checksum in the order of its key. */
export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

/** Counts rows and their checksum as they pass. Each row ends with the only line feeds of PostgreSQL's text format. */
export async function* sumRows(rows: AsyncIterable<Buffer>, done: (sum: TableSum) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const chunk of rows) {
    hash.update(chunk);
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
    yield chunk;
  }
  done({ rows: count, sha256: hash.digest('hex') });
}

/** Reads rows to their end. */
export async function sumOf(rows: AsyncIterable<Buffer>): Promise<TableSum> {
  let sum: TableSum = { rows: 0, sha256: '' };
  for await (const _ of sumRows(rows, (found) => (sum = found)));
  return sum;
}

/** Reads a table again as a backup does. */
export function sumTable(client: Client, table: BackedUpTable): Promise<TableSum> {
  return sumOf(copyOut(client, copyStatement(table)));
}
