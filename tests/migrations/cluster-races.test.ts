import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { onCluster } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { createBareDatabase } from './empty-database.ts';
import { databaseFolder } from './migration-folder.ts';

const { address: cluster } = thisCluster();

/** A migration of another database that has not committed: it holds a change of objects shared by the cluster. */
async function anotherStart(statement: string): Promise<Client> {
  const client = await connectTo(cluster);
  await client.query('begin');
  await client.query(statement);
  return client;
}

/** Waits until a session of the database waits for a lock. */
async function untilAnotherWaits(database: string): Promise<void> {
  const client = await connectTo(cluster);
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
      [database],
    );
    if (rowCount !== 0) return;
    await pause(10);
  }
}

test.each([
  {
    race: 'making the same role',
    theirs: 'create role race_of_roles',
    ours: `do $$ begin
      if not exists (select from pg_roles where rolname = 'race_of_roles') then create role race_of_roles; end if;
    end $$;`,
    role: 'race_of_roles',
  },
  {
    race: 'altering the same role',
    before: 'create role race_of_changes',
    theirs: 'alter role race_of_changes connection limit 7',
    ours: 'alter role race_of_changes connection limit 8;',
    role: 'race_of_changes',
  },
])('a migration that loses a race ($race) to another database is tried again and passes', async (race) => {
  // Registered first, so that it runs after the database is gone.
  onTestFinished(() => onCluster(cluster, `drop role ${race.role}`));
  const database = await createBareDatabase(cluster);
  if (race.before !== undefined) await database.query(race.before);
  const rival = await anotherStart(race.theirs);
  const log = keepingLog();
  const directory = await databaseFolder({
    'migrations/000095_race.sql': `${race.ours}\ncreate table public.raced (a int);`,
  });

  const migrating = migrate({ address: database.address, directory, log });
  await untilAnotherWaits(String(database.address.database));
  await rival.query('commit');
  await rival.end();

  expect(await migrating).toEqual(['000095_race.sql']);
  expect(await database.query("select from pg_class where oid = 'public.raced'::regclass")).toHaveLength(1);
  expect(log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    'A concurrent migration was faster; this one is retried.',
  ]);
});
