import { createContext, use } from 'react';

/** The nonce of this document's Content-Security-Policy. Browsers hide it from scripts, so it is empty there. */
export const Nonce = createContext('');

export function useNonce(): string {
  return use(Nonce);
}
