import type { SupabaseClient } from '@supabase/supabase-js';
import { createContext, RouterContextProvider } from 'react-router';
import type { Brand } from '#domain/brand/brand.ts';
import type { Language } from '#domain/language.ts';
import type { ServiceFacts } from '#domain/texts/pages/service-facts.ts';

/** The part of the server's configuration that the browser may know. It contains no secrets. */
export interface PublicConfig extends ServiceFacts {
  /** The product's name in storage keys: lower case, only `a-z0-9`. */
  readonly storagePrefix: string;
  /** The origin of links, without a trailing slash. */
  readonly publicUrl: string;
  /** The origin of the links on stickers. */
  readonly stickerUrl: string;
  /** The hosts on stickers, older ones included, with a port where they have one. */
  readonly stickerHosts: readonly string[];
  /** Identifies the project to the API; a request without a session has the role `anon`. */
  readonly publishableKey: string;
  /** Which free codes may be claimed: any with enough random characters, or only those that the service issued. */
  readonly claimableCodes: 'any' | 'issued';
  /** Whether development aids are shown. */
  readonly development: boolean;
  /** Whether the code of a registration goes to its phone number; otherwise it goes to the email address. */
  readonly codesGoBySms: boolean;
  /** Whether the server sends SMS. */
  readonly hasSms: boolean;
  /** The least number of characters of a new password. */
  readonly passwordLength: number;
  /** Whether an offline page replaces pages that cannot be fetched. */
  readonly offlinePage: boolean;
  /** The key with which browsers subscribe to notifications; null where the server sends none. */
  readonly pushKey: string | null;
  /** The providers for signing in without a password, in the operator's order. */
  readonly signInProviders: readonly SignInProvider[];
}

export interface SignInProvider {
  /** The provider id for `signInWithOAuth`. */
  readonly id: string;
  readonly name: string;
  /** The URL of an image: on this site or a data URL; null where the operator set none. */
  readonly icon: string | null;
}

/** URLs of scripts. */
export interface EarlyScripts {
  readonly preloaded: readonly string[];
  /** Run as soon as it has arrived. */
  readonly run: string;
}

/** The words of a document's language, for browsers. */
export interface DocumentWords {
  /** The URL of the folder with their files. */
  readonly folder: string;
  /** The words that each script imports, by its path. */
  readonly imported: Readonly<Record<string, readonly string[]>>;
}

/** What the server knows about a request for a page. */
export interface RequestValues {
  readonly publicConfig: PublicConfig;
  readonly brand: Brand;
  /** The language of the document. Its words are kept. */
  readonly language: Pick<Language, 'tag' | 'direction'>;
  /** Null in development, where browsers have English. */
  readonly words: DocumentWords | null;
  /** Creates a supabase client that acts as a visitor and calls this server in process. */
  readonly createVisitorClient: () => SupabaseClient;
  /** The nonce in this response's Content-Security-Policy. */
  readonly nonce: string;
  /** Scripts to fetch before those of the screen; null for none. */
  readonly earlyScripts: EarlyScripts | null;
  /** Reports an unexpected error to the operator. */
  readonly reportError: (error: unknown) => void;
}

export const publicConfigContext = createContext<PublicConfig>();
export const brandContext = createContext<Brand>();
export const languageContext = createContext<Pick<Language, 'tag' | 'direction'>>();
export const wordsContext = createContext<DocumentWords | null>();
/** For the loader of a screen with data that visitors may see. */
export const visitorClientContext = createContext<() => SupabaseClient>();
export const nonceContext = createContext<string>();
export const earlyScriptsContext = createContext<EarlyScripts | null>();
export const reportErrorContext = createContext<(error: unknown) => void>();

/**
 * Creates the context of a request. It is created in the app's build, because only that has the keys which its loaders
 * read.
 */
export function createRequestContext(values: RequestValues): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(publicConfigContext, values.publicConfig);
  context.set(brandContext, values.brand);
  context.set(languageContext, values.language);
  context.set(wordsContext, values.words);
  context.set(visitorClientContext, values.createVisitorClient);
  context.set(nonceContext, values.nonce);
  context.set(earlyScriptsContext, values.earlyScripts);
  context.set(reportErrorContext, values.reportError);
  return context;
}
