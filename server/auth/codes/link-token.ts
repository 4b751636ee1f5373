import { createHash, randomBytes } from 'node:crypto';

/** Prefix of a link token that yields an authorization code, which requires the verifier, and never a session. */
const PKCE_PREFIX = 'pkce_';

/** Creates the token of a link: 256 random bits that only the message contains. */
export function makeLinkToken({ withProofKey }: { readonly withProofKey: boolean }): string {
  return (withProofKey ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url');
}

/** Returns the stored hash of a link token. 256 random bits cannot be guessed, so the hash needs no key and no salt. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function hasProofKey(token: string): boolean {
  return token.startsWith(PKCE_PREFIX);
}
