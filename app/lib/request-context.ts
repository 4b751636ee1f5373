import type { SupabaseClient } from '@supabase/supabase-js';
import { createContext } from 'react-router';

/** What the browser may know of the server's configuration. Nothing in it is secret. */
export interface PublicConfig {
  readonly productName: string;
  /** The product's name as it stands in storage keys: lower case, `a-z0-9` only. */
  readonly storagePrefix: string;
  /** The origin that stickers and links carry, without a trailing slash. */
  readonly publicUrl: string;
  /** Names the project to the API; a caller without a session is `anon`. */
  readonly publishableKey: string;
  /** Development aids may show themselves. */
  readonly development: boolean;
}

/** What a loader on the server finds in its context. */
export interface RequestValues {
  readonly publicConfig: PublicConfig;
  /** Makes a supabase client that asks as a visitor and reaches this very server without a network hop. */
  readonly createVisitorClient: () => SupabaseClient;
  /** Stands in the Content-Security-Policy of this one answer. */
  readonly nonce: string;
}

export const publicConfigContext = createContext<PublicConfig>();
export const visitorClientContext = createContext<() => SupabaseClient>();
export const nonceContext = createContext<string>();
