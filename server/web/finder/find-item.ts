import type { Database } from '#server/postgres/database.ts';

/** Returns the JSON text of the found item with this code, or null where the code has none. */
export async function findItem(database: Pick<Database, 'readAsVisitor'>, code: string): Promise<string | null> {
  const { rows } = await database.readAsVisitor<{ item: string | null }>({
    name: 'find_item_for_page',
    text: 'select public.find_item($1)::text as item',
    values: [code],
  });
  return rows[0]?.item ?? null;
}
