import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { COUNT_ENTRIES_WITHOUT_ROW, LIST_RELATIONS, PREPARE, VERIFY_INDEX, VERIFY_TABLE } from './check-queries.ts';

/** How long a start may take to look at the data, in milliseconds. A small service is checked whole in a second. */
const BUDGET_MS = 10_000;

/** DB_SHUTDOWNED of PostgreSQL's pg_control.h, and where the state is in the file: behind three numbers of 8, 4, 4 bytes. */
const SHUT_DOWN = 1;
const STATE_AT = 16;

interface Relation {
  readonly oid: number;
  readonly name: string;
  readonly is_index: boolean;
  readonly table_oid: number;
}

/** Whether PostgreSQL was shut down in order before. It is not running. */
export async function endedInOrder(data: string): Promise<boolean> {
  const file = await open(join(data, 'global/pg_control'), 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, STATE_AT);
    return buffer.readInt32LE() === SHUT_DOWN;
  } finally {
    await file.close();
  }
}

/**
 * Looks at the tables and indexes of a database, the small ones first, and logs what it finds. It compares each table with
 * its own pages, and each index with its order and with its table, in both directions. It changes nothing: the extensions
 * that it needs are rolled back. A check that fails for another reason than damage is logged and stops no start.
 */
export async function checkData(
  address: ClientConfig,
  { log, budgetMs = BUDGET_MS }: { readonly log: ServiceLog; readonly budgetMs?: number },
): Promise<void> {
  const client = new Client({ ...address, ssl: false });
  client.on('error', () => undefined);
  const deadline = performance.now() + budgetMs;
  try {
    await client.connect();
    await client.query('begin');
    await client.query(PREPARE);
    const { rows: relations } = await client.query<Relation>(LIST_RELATIONS);
    let checked = 0;
    let damaged = 0;
    for (const relation of relations) {
      const leftMs = Math.floor(deadline - performance.now());
      const found = leftMs < 1 ? null : await check(client, relation, leftMs);
      if (found === null) break;
      checked += 1;
      if (found === '') continue;
      damaged += 1;
      log.error(
        { relation: relation.name, found },
        'The database is damaged here. Restore a backup, or rebuild an index.',
      );
    }
    const counts = { checked, of: relations.length, damaged };
    log.warn(counts, 'The database did not end in order. Its tables and indexes were checked before the start.');
  } catch (error) {
    log.warn({ err: error }, 'The database did not end in order, and it could not be checked.');
  } finally {
    await client.query('rollback').catch(() => undefined);
    await client.end().catch(() => undefined);
  }
}

/** SQLSTATE query_canceled. */
const OUT_OF_TIME = '57014';

/** Returns what is wrong, '' for nothing, or null where the time is up. */
async function check(client: Client, { oid, is_index, table_oid }: Relation, withinMs: number): Promise<string | null> {
  await client.query('savepoint one');
  try {
    await client.query(`set local statement_timeout = ${withinMs}`);
    if (!is_index) return found(await client.query(VERIFY_TABLE, [oid]));
    await client.query(VERIFY_INDEX, [oid]);
    return found(await client.query(COUNT_ENTRIES_WITHOUT_ROW, [oid, table_oid]));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return error.code === OUT_OF_TIME ? null : error.message;
  } finally {
    await client.query('rollback to savepoint one').catch(() => undefined);
  }
}

function found({ rows }: { readonly rows: readonly { readonly found: string }[] }): string {
  return rows[0]?.found ?? '';
}
