import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { rehearse } from '#tests/support/act-as.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { describeSchema } from './schema/describe-schema.ts';

const database = await createTestDatabase();

test('a database from the baseline has, once it is updated, the same schema as a new one', async () => {
  const earlier = await createEmptyDatabase(thisCluster().address);
  onTestFinished(earlier.drop);
  await restoreBaseline(earlier.address);
  const secrets = await earlier.query('select * from internal.secrets order by name');
  await migrate({ address: earlier.address, directory: DATABASE_FOLDER, log: quietLog });

  const client = new Client(earlier.address);
  await client.connect();
  onTestFinished(() => client.end());
  const [updated, fresh] = [await describeSchema(client), await rehearse(database, describeSchema)];
  expect(differingLines(updated, fresh)).toEqual([]);
  expect(await earlier.query('select * from internal.secrets order by name')).toEqual(secrets);
  const buckets = 'select id, public, pictures, file_size_limit from storage.buckets order by id';
  expect(await earlier.query(buckets)).toEqual(await database.query(buckets));
});

describe('a difference of the schema shows in its description', () => {
  test.each([
    ['a column', 'alter table public.items add color text', '  color text,'],
    ['a default', "alter table public.items alter item_name set default 'Thing'", "default 'Thing'::text"],
    [
      'a constraint',
      'alter table public.items add constraint odd check (lost_at > created_at)',
      'constraint odd CHECK',
    ],
    ['an index', 'create index fresh on public.items (item_name)', 'CREATE INDEX fresh'],
    ['a policy', 'create policy "new" on public.items for delete to anon using (false)', 'for delete to anon'],
    ['row-level security', 'alter table public.items no force row level security', null],
    ['a grant', 'grant delete on public.profiles to anon', 'grant select, delete on table public.profiles to anon'],
    ['a grant of a column', 'grant update (id) on public.items to anon', 'update (id) on table public.items to anon'],
    ['a function', `create function public.f() returns int language sql as 'select 7'`, 'select 7'],
    ['an owner', 'alter function public.find_item(text) owner to current_user', null],
    ['a published table', 'alter publication supabase_realtime add table public.profiles', 'public.profiles'],
  ])('%s', async (_, change, line) => {
    const [before, after] = await rehearse(database, async (client) => {
      const first = await describeSchema(client);
      await client.query('set local search_path = public');
      await client.query(change);
      return [first, await describeSchema(client)];
    });
    expect(after).not.toBe(before);
    if (line !== null) expect(after).toContain(line);
  });

  test('an object of a kind that it cannot describe is named, and not skipped', async () => {
    await rehearse(database, async (client) => {
      await client.query("create type public.mood as enum ('glad')");
      await expect(describeSchema(client)).rejects.toThrow('does not know: type public.mood (e)');
    });
  });
});

/** Restores a dump of PostgreSQL 15 of a new database at migration 94, which every supported PostgreSQL can read. */
async function restoreBaseline(address: PostgresAddress): Promise<void> {
  const packed = await readFile(join(import.meta.dirname, 'databases/000094.sql.gz'));
  const client = new Client(address);
  await client.connect();
  try {
    await client.query((await promisify(gunzip)(packed)).toString());
  } finally {
    await client.end();
  }
}

function differingLines(one: string, other: string): string[] {
  const [left, right] = [one.split('\n'), other.split('\n')];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `+ ${line}`),
    ...(left.length === right.length ? [] : [`${left.length} lines and ${right.length}`]),
  ];
}
