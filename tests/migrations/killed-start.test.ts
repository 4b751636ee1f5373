import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { readMigrations } from '#server/postgres/migrations/read-migrations.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { isLongRun } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { migrationFolder } from './migration-folder.ts';

const { address: cluster } = thisCluster();
const names = (await readMigrations(MIGRATIONS)).map(({ name }) => name);
/** The first, the one in the middle and the newest. */
const always = [0, names.length >> 1, names.length - 1];
/** The longer run adds the ten newest, and every fifth of the others, beginning with another one each time. */
const chance = Math.floor(Math.random() * 5);
const isKilledInLongRun = (index: number) => index >= names.length - 10 || index % 5 === chance;
const killedAt = names.filter((_, index) => always.includes(index) || (isLongRun && isKilledInLongRun(index)));
const program = fileURLToPath(new URL('migrate-in-a-process.ts', import.meta.url));

function startProcess(database: EmptyDatabase, directory: string): ChildProcess {
  const job = JSON.stringify({ address: database.address, directory });
  return spawn(process.execPath, [program, job], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function book(database: EmptyDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from internal.migrations order by number');
  return rows.map(({ name }) => name);
}

test.each(killedAt)('killed with SIGKILL as soon as %s is applied, the next start completes the rest', async (name) => {
  const database = await createEmptyDatabase(cluster);
  onTestFinished(database.drop);
  const child = startProcess(database, MIGRATIONS);
  if (child.stdout === null) throw new Error('The process has no output.');
  for await (const line of createInterface(child.stdout)) if (line === name) child.kill('SIGKILL');
  if (child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');

  const before = await book(database);
  expect(before.slice(0, names.indexOf(name) + 1)).toEqual(names.slice(0, names.indexOf(name) + 1));
  await migrate({ address: database.address, directory: MIGRATIONS, log: quietLog });
  expect(await book(database)).toEqual(names);
  expect(await database.query('select from graphile_worker.migrations where id = 1')).toHaveLength(1);
});

test('killed with SIGKILL in the middle of a file, nothing of the file stays and the next start applies it', async () => {
  const database = await createEmptyDatabase(cluster);
  onTestFinished(database.drop);
  const directory = await migrationFolder({
    '000001_first.sql': 'create table public.first (a int);',
    '000002_stops.sql': `create table public.half (a int);
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
  expect(applied).toEqual(['000002_stops.sql']);
  expect(await book(database)).toEqual(['000001_first.sql', '000002_stops.sql']);
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
