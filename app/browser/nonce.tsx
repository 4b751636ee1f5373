import { createContext, use } from 'react';

/** What the policy of this one document calls its scripts by. Browsers hide it from scripts, so there it is empty. */
export const Nonce = createContext('');

export function useNonce(): string {
  return use(Nonce);
}
