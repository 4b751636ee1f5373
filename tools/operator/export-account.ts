import type { User } from '@supabase/supabase-js';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';

interface Kept {
  readonly table: string;
  /** Says whose a row is. */
  readonly owner: string;
  readonly columns: string;
  readonly order: string;
}

/** Each table that holds something about its owner. What only a finder may know is not in it. */
const TABLES: readonly Kept[] = [
  { table: 'profiles', owner: 'id', columns: '*', order: 'id' },
  { table: 'qr_codes', owner: 'owner_id', columns: '*', order: 'qr_id' },
  { table: 'items', owner: 'user_id', columns: '*', order: 'id' },
  { table: 'conversations', owner: 'owner_id', columns: 'id,item_id,created_at', order: 'id' },
  { table: 'messages', owner: 'owner_id', columns: '*', order: 'id' },
  { table: 'channel_openings', owner: 'owner_id', columns: '*', order: 'id' },
];

/** Rows asked for at a time. */
const PAGE = 1_000;

/** Everything that is stored about an account and that is not a secret of the service. */
export async function exportAccount(service: ServiceConnection, account: User): Promise<Record<string, unknown>> {
  const tables: Record<string, unknown> = {};
  for (const kept of TABLES) tables[kept.table] = await readAll(service, kept, account.id);
  return { exported_at: new Date().toISOString(), account, ...tables };
}

async function readAll({ client, url }: ServiceConnection, kept: Kept, id: string): Promise<unknown[]> {
  const { table, owner, columns, order } = kept;
  const all: unknown[] = [];
  for (;;) {
    const { data, error } = await client
      .from(table)
      .select(columns)
      .eq(owner, id)
      .order(order)
      .range(all.length, all.length + PAGE - 1);
    if (error !== null) throw new OperatorError(`${url} did not give ${table}: ${error.message}`, { cause: error });
    all.push(...data);
    if (data.length < PAGE) return all;
  }
}
