import { PostgrestClient } from '@supabase/postgrest-js';
import type { SupabaseClient } from '@supabase/supabase-js';

/** What reads and writes rows: the part of the client that a screen needs first. The complete client satisfies it too. */
export type DataClient = Pick<SupabaseClient, 'from' | 'rpc'>;

/** Assembles the data client as `createClient` of supabase-js does, for this origin. */
export function composeDataClient(fetch: typeof globalThis.fetch): DataClient {
  const data = new PostgrestClient(`${location.origin}/rest/v1`, {
    schema: 'public',
    fetch,
    // `fetchWithRetry` retries what may be retried, and detects a missing connection.
    retry: false,
  });
  // supabase-js declares both as these functions, with the database's schema filled in.
  const from = data.from.bind(data) as DataClient['from'];
  const rpc = data.rpc.bind(data) as DataClient['rpc'];
  return { from, rpc };
}
