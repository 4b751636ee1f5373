import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { readSchema } from '#server/postgres/migrations/read-schema.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { startCluster } from '#tests/support/clusters/start-cluster.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { repeats } from '#tests/support/long-runs.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';

const STARTS = repeats(8, 20);
const { functions, migrations } = await readSchema(DATABASE_FOLDER);
const names = migrations.map(({ name }) => name);

function start({ address }: EmptyDatabase): Promise<string[]> {
  return migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
}

async function expectWhole(database: EmptyDatabase): Promise<void> {
  const book = await database.query<{ name: string }>('select name from internal.migrations order by number');
  expect(book.map(({ name }) => name)).toEqual(['000094_baseline', ...names]);
  expect(await database.query('select from internal.functions')).toHaveLength(functions.length);
  const queue = await database.query(
    "select from pg_proc where pronamespace = 'graphile_worker'::regnamespace and proname = 'add_job'",
  );
  expect(queue).toHaveLength(1);
}

test(`${STARTS} starts at once on one empty database apply every migration exactly once`, async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  const applied = await Promise.all(Array.from({ length: STARTS }, () => start(database)));
  expect(applied.flat().sort()).toEqual(names);
  await expectWhole(database);
});

test(`${STARTS} starts at once, two on each database, on a cluster that has no roles yet all succeed`, async () => {
  const cluster = await startCluster(thisCluster().engine);
  onTestFinished(cluster.stop);
  const databases: EmptyDatabase[] = [];
  for (let made = 0; made < STARTS / 2; made += 1) databases.push(await createEmptyDatabase(cluster.address));
  const applied = await Promise.all([...databases, ...databases].map(start));
  expect(applied.flat()).toHaveLength(names.length * databases.length);
  for (const database of databases) await expectWhole(database);
});
