import { Client } from 'pg';
import type { History } from './seen-history.ts';

/** What a server is: a primary, or what the operator reads after the server's name. */
export type Outcome =
  | { readonly kind: 'primary'; readonly history: History }
  | { readonly kind: 'other'; readonly state: string };

/** How long a server may take to accept a connection, and to respond. */
const WITHIN_MS = 2_000;

/** Asks a server whether it is a primary, and since which promotion. Never rejects. */
export async function probeServer(url: string): Promise<Outcome> {
  const client = new Client({
    connectionString: url,
    application_name: 'reunite',
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
  });
  // A connection that breaks meanwhile fails the query too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null; identifies: boolean }>(`
      select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
        has_function_privilege('pg_control_system()', 'execute') as identifies`);
    const { timeline = null, identifies = false } = rows[0] ?? {};
    if (timeline === null) return { kind: 'other', state: 'is a standby' };
    const system = identifies ? await systemOf(client) : null;
    return { kind: 'primary', history: { system, timeline: Number.parseInt(timeline, 16) } };
  } catch (error) {
    return { kind: 'other', state: `failed (${error instanceof Error ? error.message : error})` };
  } finally {
    // One that hangs is not waited for.
    void client.end().catch(() => undefined);
  }
}

async function systemOf(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ system: string }>(
    'select system_identifier::text as system from pg_control_system()',
  );
  return rows[0]?.system ?? null;
}
