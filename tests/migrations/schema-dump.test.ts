import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { describeSchema } from '#tools/schema/describe-schema.ts';

const database = await createTestDatabase();

test('database/schema.sql is what the migrations add up to', async () => {
  const committed = await readFile(fileURLToPath(new URL('../../database/schema.sql', import.meta.url)), 'utf8');
  const actual = await rehearse(database, describeSchema);
  expect(actual === committed ? 'fresh' : firstDifference(committed, actual)).toBe('fresh');
});

describe('a change of a migration shows in it', () => {
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

function firstDifference(committed: string, actual: string): string {
  const [old, fresh] = [committed.split('\n'), actual.split('\n')];
  const line = fresh.findIndex((text, index) => text !== old[index]);
  return `Stale: run \`npm run schema\`. Line ${line + 1} is\n${old[line]}\nand should be\n${fresh[line]}`;
}
