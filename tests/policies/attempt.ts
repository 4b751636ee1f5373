import { DatabaseError, type PoolClient } from 'pg';
import type { Caller } from '#server/postgres/caller.ts';
import { become } from '#tests/support/act-as.ts';

/** The result of a caller's statement. */
export type Attempt =
  | { readonly refused: null; readonly rowCount: number; readonly rows: readonly Record<string, unknown>[] }
  | { readonly refused: Refusal; readonly rowCount: 0; readonly rows: readonly [] };

/** Refused by privileges, by a policy's check, or otherwise, with the SQLSTATE. */
type Refusal = 'no privilege' | 'row security' | (string & {});

/**
 * Tries one statement as a caller inside the transaction of the client, which is the migrating account's again
 * afterwards. What a refused statement did is undone; what a permitted one did stays until the transaction ends.
 */
export async function attempt(
  client: PoolClient,
  caller: Caller,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Attempt> {
  await client.query('savepoint attempt');
  await become(client, caller);
  try {
    const { rowCount, rows } = await client.query<Record<string, unknown>>(statement, [...values]);
    await client.query('reset role');
    return { refused: null, rowCount: rowCount ?? 0, rows };
  } catch (error) {
    // Also takes the role back.
    await client.query('rollback to savepoint attempt');
    return { refused: refusalOf(error), rowCount: 0, rows: [] };
  }
}

/** SQLSTATE 42501 covers both kinds; the C function that raised it distinguishes them. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DatabaseError) || error.code === undefined) throw error;
  if (error.code !== '42501') return error.code;
  return error.routine === 'ExecWithCheckOptions' ? 'row security' : 'no privilege';
}

/** Returns the rows of a table as sorted text: equal content gives equal lists. */
export async function contentOf(client: PoolClient, relation: string, condition = 'true'): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>(
    `select to_jsonb(relation)::text as row from ${relation} as relation where ${condition} order by 1`,
  );
  return rows.map(({ row }) => row);
}

/** The content of several tables, one after the other. */
export async function contentOfAll(
  client: PoolClient,
  relations: readonly { readonly name: string }[],
): Promise<string[][]> {
  const content: string[][] = [];
  for (const { name } of relations) content.push(await contentOf(client, name));
  return content;
}
