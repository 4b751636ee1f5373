import type { HttpBindings } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

export interface VisitorClientOptions {
  readonly publicUrl: string;
  readonly publishableKey: string;
  readonly fetch: (request: Request, bindings?: Partial<HttpBindings>) => Promise<Response>;
}

/**
 * Creates the supabase client for a loader: as a visitor, without a session. Its requests are handled by this server in
 * the same process, and count against the limits of the visitor who requested the page.
 */
export function visitorClients({ publicUrl, publishableKey, fetch }: VisitorClientOptions) {
  return (bindings: Partial<HttpBindings> | undefined): SupabaseClient =>
    createClient(publicUrl, publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => fetch(new Request(input, init), bindings) },
    });
}
