import type { Database } from '#server/postgres/database.ts';

/** Returns the code under which an item is stored, for any code of it. Finders with another code must not learn it. */
export async function ownCodeOfItem(database: Pick<Database, 'asService'>, code: string): Promise<string> {
  const { rows } = await database.asService<{ own_code: string }>({
    name: 'own_code_of_item',
    text: 'select internal.own_code_of_item($1) as own_code',
    values: [code],
  });
  return rows[0]?.own_code ?? code;
}
