import type { DataClient } from '#app/client/data-client.ts';

/** A session of the account. Times are ISO 8601. */
export interface AccountSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** A short description such as "Firefox on Linux". */
  readonly device: string;
  readonly isCurrent: boolean;
}

interface SessionRow {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly device: string;
  readonly is_current: boolean;
}

/** Returns the sessions, latest use first. Throws the data service's error. */
export async function loadSessions(client: DataClient): Promise<AccountSession[]> {
  const { data, error } = await client.rpc('list_sessions');
  if (error) throw error;
  // The database function returns a table of these columns.
  return (data as SessionRow[]).map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    device: row.device,
    isCurrent: row.is_current,
  }));
}

/** Ends a session. A session that has already ended is not an error. Throws the data service's other errors. */
export async function endSession(client: DataClient, sessionId: string): Promise<void> {
  const { error } = await client.rpc('end_session', { session_id_param: sessionId });
  if (error && error.code !== 'PT404') throw error;
}
