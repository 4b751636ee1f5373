import { createHash, randomBytes } from 'node:crypto';

/** Begins the token of a link that leads to a code for whoever has the verifier, and never to a session at once. */
const PKCE_PREFIX = 'pkce_';

/** What a link carries: 256 bits that nothing but the message to its owner holds. */
export function makeLinkToken({ withProofKey }: { readonly withProofKey: boolean }): string {
  return (withProofKey ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url');
}

/** What the database keeps of it: nobody can try 256 bits, so the hash needs no key and no salt. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function hasProofKey(token: string): boolean {
  return token.startsWith(PKCE_PREFIX);
}
