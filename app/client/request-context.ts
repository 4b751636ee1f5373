import type { SupabaseClient } from '@supabase/supabase-js';
import { createContext, RouterContextProvider } from 'react-router';

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
  /** The code of a registration goes to the phone in it; otherwise it goes to the e-mail address. */
  readonly codesGoBySms: boolean;
  /** A page of ours stands in where another cannot be fetched. */
  readonly offlinePage: boolean;
  /** Whom people can sign in with besides a password, in the operator's order. */
  readonly signInProviders: readonly SignInProvider[];
}

export interface SignInProvider {
  /** What `signInWithOAuth` takes. */
  readonly id: string;
  readonly name: string;
  /** An address for an image, on this site or written out; null where the operator gave none. */
  readonly icon: string | null;
}

/** What the server knows of one request for a page. */
export interface RequestValues {
  readonly publicConfig: PublicConfig;
  /** Makes a supabase client that asks as a visitor and reaches this very server without a network hop. */
  readonly createVisitorClient: () => SupabaseClient;
  /** Stands in the Content-Security-Policy of this one answer. */
  readonly nonce: string;
  /** Addresses of scripts that this browser will need, beside those of its screen. */
  readonly preload: readonly string[];
  /** Tells the operator of an error that no page expected. */
  readonly reportError: (error: unknown) => void;
}

export const publicConfigContext = createContext<PublicConfig>();
/** @public For the loader of a screen whose data a visitor may see: none of today's screens has any. */
export const visitorClientContext = createContext<() => SupabaseClient>();
export const nonceContext = createContext<string>();
export const preloadContext = createContext<readonly string[]>();
export const reportErrorContext = createContext<(error: unknown) => void>();

/** The context of one request. It is made in the app's build because only that holds the keys which its loaders read. */
export function createRequestContext(values: RequestValues): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(publicConfigContext, values.publicConfig);
  context.set(visitorClientContext, values.createVisitorClient);
  context.set(nonceContext, values.nonce);
  context.set(preloadContext, values.preload);
  context.set(reportErrorContext, values.reportError);
  return context;
}
