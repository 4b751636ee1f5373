import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createBareDatabase, createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { databaseFolder } from './migration-folder.ts';

const { address: cluster } = thisCluster();
/** A first start on a quiet machine takes a second. */
const LONGEST_START_MS = 1_500;
const program = fileURLToPath(new URL('migrate-in-a-process.ts', import.meta.url));

function startProcess(database: EmptyDatabase, directory: string): ChildProcess {
  const job = JSON.stringify({ address: database.address, directory });
  return spawn(process.execPath, [program, job], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function book(database: EmptyDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from internal.migrations order by number');
  return rows.map(({ name }) => name);
}

test('killed with SIGKILL at any moment of the first start, the next one completes it [J61]', async () => {
  for (const _ of rounds(3, 20, { times: 5 })) {
    const database = await createEmptyDatabase(cluster);
    try {
      const child = startProcess(database, DATABASE_FOLDER);
      await pause(Math.random() * LONGEST_START_MS);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await migrate({ address: database.address, directory: DATABASE_FOLDER, log: quietLog });
      expect((await book(database))[0]).toBe('000094_baseline');
      expect(await database.query("select public.find_item('tgt-none') as item")).toEqual([{ item: null }]);
      expect(await database.query('select from graphile_worker.migrations where id = 1')).toHaveLength(1);
    } finally {
      await database.drop();
    }
  }
});

test('killed with SIGKILL in the middle of a file, nothing of the update stays and the next start applies it [J61]', async () => {
  const database = await createBareDatabase(cluster);
  const directory = await databaseFolder({
    'migrations/000095_first.sql': 'create table public.first (a int);',
    'migrations/000096_stops.sql': `create table public.half (a int);
      do $$ begin perform pg_advisory_xact_lock(5, 5); end $$;
      create table public.whole (a int);`,
  });
  const semaphore = await connectTo(database.address);
  await semaphore.query('select pg_advisory_lock(5, 5)');

  const child = startProcess(database, directory);
  await untilAnotherWaits(semaphore);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await semaphore.query('select pg_advisory_unlock(5, 5)');
  await semaphore.end();

  // The next start waits for the lock until PostgreSQL has noticed that the killed one is gone.
  const applied = await migrate({ address: database.address, directory, log: quietLog });
  expect(applied).toEqual(['000095_first.sql', '000096_stops.sql']);
  expect(await book(database)).toEqual(['000094_baseline', '000095_first.sql', '000096_stops.sql']);
  expect(await database.query("select to_regclass('public.whole') as whole")).toEqual([{ whole: 'whole' }]);
});

async function untilAnotherWaits(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(`
      select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`);
    if (rowCount !== 0) return;
    await pause(10);
  }
}
