import type { HttpBindings } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

export interface VisitorClientOptions {
  readonly publicUrl: string;
  readonly publishableKey: string;
  readonly fetch: (request: Request, bindings?: Partial<HttpBindings>) => Promise<Response>;
}

/**
 * Makes the client that a loader asks with: the official one, as a visitor, keeping no session. Its requests go to
 * this very server within the process, and count against the limits of whoever asked for the page.
 */
export function visitorClients({ publicUrl, publishableKey, fetch }: VisitorClientOptions) {
  return (bindings: Partial<HttpBindings> | undefined): SupabaseClient =>
    createClient(publicUrl, publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => fetch(new Request(input, init), bindings) },
    });
}
