import type { SupabaseClient } from '@supabase/supabase-js';

/**
 * What the screens use of the official client. The complete one is such a client, too. Files and live changes have
 * clients of their own, because their libraries are loaded when they are first needed.
 */
export type AppClient = Pick<SupabaseClient, 'auth' | 'from' | 'rpc'>;
