import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** Which token of which session: the first has the counter 0, each rotation gives the next one. */
export interface RefreshTokenPlace {
  readonly sessionId: string;
  readonly counter: number;
}

type ReadRefreshToken =
  | { readonly outcome: 'ours'; readonly place: RefreshTokenPlace }
  /** Well-formed, and not given out by this server. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'malformed' };

/**
 * Refresh tokens, which only their client keeps: version, session, counter and a 256-bit signature, as base64url.
 * The database has their hashes. Since the same place always gives the same token, a client that lost an answer can
 * be given the token in it once more.
 */
export interface RefreshTokens {
  make(place: RefreshTokenPlace): string;
  read(token: string): ReadRefreshToken;
}

const VERSION = 1;
const SESSION_END = 17;
const SIGNED_END = 21;
const LENGTH = 53;

export function createRefreshTokens(secret: string): RefreshTokens {
  const key = deriveKey(secret, 'refresh tokens');
  const sign = (signed: Buffer) => createHmac('sha256', key).update(signed).digest();

  return {
    make({ sessionId, counter }) {
      const signed = Buffer.alloc(SIGNED_END);
      signed.writeUInt8(VERSION, 0);
      signed.write(sessionId.replaceAll('-', ''), 1, 'hex');
      signed.writeUInt32BE(counter, SESSION_END);
      return Buffer.concat([signed, sign(signed)]).toString('base64url');
    },
    read(token) {
      // The opaque form of older servers: well-formed, but never ours.
      if (/^[a-z0-9]{12}$/.test(token)) return { outcome: 'foreign' };
      const bytes = Buffer.from(token, 'base64url');
      // Decoding forgives what it does not know; only the one way to write a token is a token.
      if (bytes.length !== LENGTH || bytes.toString('base64url') !== token || bytes.readUInt8(0) !== VERSION) {
        return { outcome: 'malformed' };
      }
      const signed = bytes.subarray(0, SIGNED_END);
      if (!timingSafeEqual(bytes.subarray(SIGNED_END), sign(signed))) return { outcome: 'foreign' };
      const hex = bytes.toString('hex', 1, SESSION_END);
      const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { outcome: 'ours', place: { sessionId, counter: bytes.readUInt32BE(SESSION_END) } };
    },
  };
}

/** What the database keeps of a token. It has 256 bits of its own, so the hash needs no key and no salt. */
export function hashRefreshToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
