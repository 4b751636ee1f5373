import { useSyncExternalStore } from 'react';

/** Where a new password is chosen in a session that a link has opened already. */
export const NEW_PASSWORD_IN_SESSION = '/auth?reset=true#type=recovery';

/**
 * What the address of the page for a new password says: the link's proof, or null for one that this tab's session is; that
 * the link is spent; or nothing.
 */
export type RecoveryLink =
  | { readonly kind: 'open'; readonly tokenHash: string | null }
  | { readonly kind: 'expired' }
  | null;

/** Reads the fragment that the link in the e-mail ends with. It never reaches a server or its log. */
export function readRecoveryLink(fragment: string): RecoveryLink {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  if (parts.get('type') === 'recovery') return { kind: 'open', tokenHash: parts.get('token_hash') };
  return parts.has('error') || parts.has('error_code') ? { kind: 'expired' } : null;
}

/** The fragment of the address, in a component; empty while the server renders. */
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
