import { useSyncExternalStore } from 'react';

/** The page for choosing a new password in a session that a link has opened. */
export const NEW_PASSWORD_IN_SESSION = '/auth?reset=true#type=recovery';

/**
 * What the URL of the page for a new password requests: to use the link's token, or with a null token the session in
 * this tab; to report an expired link; or nothing.
 */
export type RecoveryLink =
  | { readonly kind: 'open'; readonly tokenHash: string | null }
  | { readonly kind: 'expired' }
  | null;

/** Parses the fragment of the link in the email. Fragments never reach a server or its log. */
export function readRecoveryLink(fragment: string): RecoveryLink {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  if (parts.get('type') === 'recovery') return { kind: 'open', tokenHash: parts.get('token_hash') };
  return parts.has('error') || parts.has('error_code') ? { kind: 'expired' } : null;
}

/** Returns the URL's fragment, in a component; empty during server rendering. */
export function useFragment(): string {
  return useSyncExternalStore(
    subscribe,
    () => location.hash,
    () => '',
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
