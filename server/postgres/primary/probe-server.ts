import { Client } from 'pg';

/** What a server is. */
export interface Outcome {
  /** The timeline that a primary writes; null for a standby, and for a server that was not reached. */
  readonly timeline: number | null;
  /** For the operator, after the server's name. */
  readonly state: string;
}

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
    const { rows } = await client.query<{ timeline: string | null }>(`
      select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`);
    const timeline = rows[0]?.timeline ?? null;
    if (timeline === null) return { timeline, state: 'is a standby' };
    return { timeline: Number.parseInt(timeline, 16), state: 'is a former primary' };
  } catch (error) {
    return { timeline: null, state: `failed (${error instanceof Error ? error.message : error})` };
  } finally {
    // One that hangs is not waited for.
    void client.end().catch(() => undefined);
  }
}
