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

/** Returns the sessions, latest use first. Throws the data service's error. */
export async function loadSessions(client: DataClient): Promise<AccountSession[]> {
  const { data, error } = await client
    .rpc('list_sessions')
    .select('id, createdAt:created_at, lastUsedAt:last_used_at, device, isCurrent:is_current');
  if (error) throw error;
  // The columns above.
  return data as AccountSession[];
}

/** Ends a session. A session that has already ended is not an error. Throws the data service's other errors. */
export async function endSession(client: DataClient, sessionId: string): Promise<void> {
  const { error } = await client.rpc('end_session', { session_id_param: sessionId });
  if (error && error.code !== 'PT404') throw error;
}
