import { createClient, type Session, type SupabaseClient, type User } from '@supabase/supabase-js';
import { expect } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import type { ProviderAccount, TestOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import type { TestServer } from '#tests/support/test-server.ts';

let people = 0;

/** A person whose address the provider has verified. */
export function aPerson(details: Partial<ProviderAccount> = {}): ProviderAccount {
  people += 1;
  return { sub: `person-${people}`, email: anEmail(), email_verified: true, name: 'Olive Owner', ...details };
}

/** The client's type names the providers of another company. */
export function asProvider(id: string): 'google' {
  return id as 'google';
}

/** Returns the error code that the person is shown, which is in both query and fragment. */
export function errorOf(end: URL): string | null {
  const inFragment = new URLSearchParams(end.hash.slice(1));
  for (const name of ['error', 'error_code', 'error_description']) {
    expect(inFragment.get(name)).toBe(end.searchParams.get(name));
  }
  expect(end.searchParams.get('error_description')).toBeTruthy();
  return end.searchParams.get('error_code');
}

export interface SignedInVisitor {
  readonly client: SupabaseClient;
  readonly visitor: Visitor;
  readonly user: User;
  readonly session: Session;
}

/** Ways to visit a provider as the app does, on one server. */
export function visitsOn(server: Pick<TestServer, 'url' | 'secrets'>, usual: TestOidcProvider) {
  const callbackPage = `${server.url}/auth/callback`;
  const isOurPage = ({ origin, pathname }: URL) => origin === server.url && !pathname.startsWith('/auth/v1/');

  /** The official client in a browser. */
  const clientOf = (visitor: Visitor, flowType: 'pkce' | 'implicit' = 'pkce') =>
    createClient(server.url, server.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, flowType },
      global: { fetch: visitor.fetch },
    });

  /** Where the client sends the browser. */
  const begin = async (client: SupabaseClient, provider = usual): Promise<string> => {
    const { data } = await client.auth.signInWithOAuth({
      provider: asProvider(provider.settings.id),
      options: { redirectTo: callbackPage, skipBrowserRedirect: true },
    });
    return data.url ?? '';
  };

  /** The page that the browser ends at. */
  const visit = async (
    client: SupabaseClient,
    visitor: Visitor,
    person: ProviderAccount | null,
    provider = usual,
  ): Promise<URL> => {
    provider.person = person;
    return visitor.follow(await begin(client, provider), isOurPage);
  };

  const signIn = async (person: ProviderAccount, provider = usual): Promise<SignedInVisitor> => {
    const visitor = new Visitor();
    const client = clientOf(visitor);
    const end = await visit(client, visitor, person, provider);
    const { data, error } = await client.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
    if (error !== null) throw new Error(`${error.message} (${end.search})`);
    return { client, visitor, user: data.user, session: data.session };
  };

  return { callbackPage, isOurPage, clientOf, begin, visit, signIn };
}
