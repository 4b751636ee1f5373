import type { Database } from '#server/postgres/database.ts';

export type WasMoved = ReturnType<typeof movedConversations>;

/** Returns a function that says whether one of these keys opened a conversation that ended because the item has a new owner. */
export function movedConversations(database: Pick<Database, 'asService'>) {
  return async (code: string, finderKeys: readonly string[]): Promise<boolean> => {
    if (finderKeys.length === 0) return false;
    const { rows } = await database.asService<{ was_moved: boolean }>({
      name: 'conversation_was_moved',
      text: 'select bool_or(internal.conversation_was_moved($1, key)) as was_moved from unnest($2::text[]) as key',
      values: [code, finderKeys],
    });
    return rows[0]?.was_moved === true;
  };
}
