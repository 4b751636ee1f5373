import { AuthClient, type GoTrueClientOptions } from '@supabase/auth-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DataClient } from './data-client.ts';

/**
 * The part of the official client that the screens use; the complete client satisfies it too. Files and live changes
 * have clients of their own, because their libraries are loaded when first needed.
 */
export type AppClient = DataClient & Pick<SupabaseClient, 'auth'>;

interface AuthOptions {
  readonly publishableKey: string;
  readonly fetch: typeof fetch;
  readonly auth: Pick<
    GoTrueClientOptions,
    'storageKey' | 'flowType' | 'detectSessionInUrl' | 'persistSession' | 'autoRefreshToken'
  >;
}

/** Assembles the auth client as `createClient` of supabase-js does, for this origin. */
export function composeAuth({ publishableKey, fetch, auth: options }: AuthOptions): AppClient['auth'] {
  const auth: AppClient['auth'] = new AuthClient({
    url: `${location.origin}/auth/v1`,
    headers: { Authorization: `Bearer ${publishableKey}`, apikey: publishableKey },
    fetch: withSessionToVerify(fetch, () => auth),
    ...options,
  });
  return auth;
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
