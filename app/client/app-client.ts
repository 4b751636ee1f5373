import { AuthClient, type GoTrueClientOptions } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { AppClient } from './app-client.ts';

interface ClientOptions {
  readonly publishableKey: string;
  readonly fetch: typeof fetch;
  readonly auth: Pick<
    GoTrueClientOptions,
    'storageKey' | 'flowType' | 'detectSessionInUrl' | 'persistSession' | 'autoRefreshToken'
  >;
}

/**
 * The account and data parts of the official client, put together as `createClient` of supabase-js does it, for this
 * origin. supabase-js itself brings every part at once.
 */
export function composeClient({ publishableKey, fetch, auth: options }: ClientOptions): AppClient {
  const auth = new AuthClient({
    url: `${location.origin}/auth/v1`,
    headers: { Authorization: `Bearer ${publishableKey}`, apikey: publishableKey },
    fetch,
    ...options,
  });
  const data = new PostgrestClient(`${location.origin}/rest/v1`, {
    schema: 'public',
    fetch: withSession({ publishableKey, fetch, auth }),
    // `patientFetch` repeats what may be repeated, and knows when there is no connection.
    retry: false,
  });
  // supabase-js declares both as these very functions, with the schema of the database filled in.
  const from = data.from.bind(data) as AppClient['from'];
  const rpc = data.rpc.bind(data) as AppClient['rpc'];
  return { auth, from, rpc };
}

interface SessionFetchOptions extends Pick<ClientOptions, 'publishableKey' | 'fetch'> {
  readonly auth: Pick<AppClient['auth'], 'getSession'>;
}

/** A `fetch` that names the project, and the caller by the session's token; without a session the caller is a visitor. */
export function withSession({ publishableKey, fetch: send, auth }: SessionFetchOptions): typeof fetch {
  return async (input, init) => {
    const { data } = await auth.getSession();
    const headers = new Headers(init?.headers);
    if (!headers.has('apikey')) headers.set('apikey', publishableKey);
    if (!headers.has('Authorization')) {
      headers.set('Authorization', `Bearer ${data.session?.access_token ?? publishableKey}`);
    }
    return send(input, { ...init, headers });
  };
}
