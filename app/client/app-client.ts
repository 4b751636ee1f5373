import { AuthClient, type GoTrueClientOptions } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { SupabaseClient } from '@supabase/supabase-js';

/**
 * The part of the official client that the screens use; the complete client satisfies it too. Files and live changes
 * have clients of their own, because their libraries are loaded when first needed.
 */
export type AppClient = Pick<SupabaseClient, 'auth' | 'from' | 'rpc'>;

interface ClientOptions {
  readonly publishableKey: string;
  readonly fetch: typeof fetch;
  readonly auth: Pick<
    GoTrueClientOptions,
    'storageKey' | 'flowType' | 'detectSessionInUrl' | 'persistSession' | 'autoRefreshToken'
  >;
}

/**
 * Assembles the auth and data clients as `createClient` of supabase-js does, for this origin. supabase-js itself would
 * load all of its clients at once.
 */
export function composeClient({ publishableKey, fetch, auth: options }: ClientOptions): AppClient {
  const auth: AppClient['auth'] = new AuthClient({
    url: `${location.origin}/auth/v1`,
    headers: { Authorization: `Bearer ${publishableKey}`, apikey: publishableKey },
    fetch: withSessionToVerify(fetch, () => auth),
    ...options,
  });
  const data = new PostgrestClient(`${location.origin}/rest/v1`, {
    schema: 'public',
    fetch: withSession({ publishableKey, fetch, auth }),
    // `fetchWithRetry` retries what may be retried, and detects a missing connection.
    retry: false,
  });
  // supabase-js declares both as these functions, with the database's schema filled in.
  const from = data.from.bind(data) as AppClient['from'];
  const rpc = data.rpc.bind(data) as AppClient['rpc'];
  return { auth, from, rpc };
}

/**
 * Returns a `fetch` that sends the session's token with `POST /verify`, which auth-js sends without one. A link that adds
 * an address to an account counts in a session of that account.
 */
function withSessionToVerify(send: typeof fetch, authOf: () => AppClient['auth']): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
    if (pathname !== '/auth/v1/verify') return send(input, init);
    const { data } = await authOf().getSession();
    const headers = new Headers(init?.headers);
    if (data.session !== null) headers.set('Authorization', `Bearer ${data.session.access_token}`);
    return send(input, { ...init, headers });
  };
}

interface SessionFetchOptions extends Pick<ClientOptions, 'publishableKey' | 'fetch'> {
  readonly auth: Pick<AppClient['auth'], 'getSession'>;
}

/** Returns a `fetch` that adds the API key and the session's token. Without a session the caller is a visitor. */
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
