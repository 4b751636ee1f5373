import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** The place of a token in its session: the first has counter 0, and each rotation increments it. */
export interface RefreshTokenPlace {
  readonly sessionId: string;
  readonly counter: number;
}

type ReadRefreshToken =
  | { readonly outcome: 'ours'; readonly place: RefreshTokenPlace }
  /** Well-formed, but not issued by this server. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'malformed' };

/**
 * Creates and reads refresh tokens: version, session, counter and a 256-bit signature, as base64url. The database
 * stores only hashes.
 *
 * The same place always yields the same token, so a client that missed a response can be sent its token again.
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
      // The opaque format of older servers: well-formed, but never issued here.
      if (/^[a-z0-9]{12}$/.test(token)) return { outcome: 'foreign' };
      const bytes = Buffer.from(token, 'base64url');
      // The decoder ignores invalid characters, so only the canonical encoding is accepted.
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

/** Returns the stored hash of a token. The token has a 256-bit signature, so the hash needs no key and no salt. */
export function hashRefreshToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
