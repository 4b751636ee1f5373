import { createHash, timingSafeEqual } from 'node:crypto';
import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import type { TokenKeys } from './token-keys.ts';

/** Who a request comes from, or why its token is refused. */
export type ResolvedCaller =
  | { readonly ok: true; readonly caller: Caller; readonly token: string | null }
  | { readonly ok: false; readonly reason: 'malformed' | 'expired' | 'refused'; readonly cause: unknown };

/**
 * Tells the caller from `Authorization: Bearer …` or, without one, from `apikey`. The publishable key is a visitor,
 * the secret key is the service, anything else must be an access token of ours. No key at all is a visitor too.
 */
export type ResolveCaller = (authorization: string | null, apiKey: string | null) => Promise<ResolvedCaller>;

export interface ResolveCallerOptions {
  readonly tokens: TokenKeys;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Verified tokens that are remembered; one ES256 verification costs more than a whole look-up. */
const REMEMBERED_TOKENS = 5_000;

const SERVICE: Caller = Object.freeze({ role: 'service_role', claims: Object.freeze({ role: 'service_role' }) });

export function createResolveCaller({ tokens, publishableKey, secretKey, now }: ResolveCallerOptions): ResolveCaller {
  const secretDigest = digest(secretKey);
  // Digests have one length and tell nothing about how much of a guess was right.
  const isSecretKey = (key: string | null) =>
    key?.startsWith('sb_secret_') === true && timingSafeEqual(digest(key), secretDigest);
  const remembered = new Map<string, { caller: Caller; expiresAt: number }>();
  const visitor: ResolvedCaller = Object.freeze({ ok: true, caller: VISITOR, token: null });
  const service: ResolvedCaller = Object.freeze({ ok: true, caller: SERVICE, token: null });

  const verified = async (token: string): Promise<ResolvedCaller> => {
    const known = remembered.get(token);
    if (known !== undefined && known.expiresAt > now()) return { ok: true, caller: known.caller, token };
    try {
      const claims = await tokens.verify(token);
      if (claims.role !== 'authenticated')
        return { ok: false, reason: 'refused', cause: new Error('Not a role of a person.') };
      const caller: Caller = { role: 'authenticated', claims };
      if (remembered.size >= REMEMBERED_TOKENS) {
        // A Map keeps the order of insertion: the first is the oldest.
        for (const oldest of remembered.keys()) {
          remembered.delete(oldest);
          break;
        }
      }
      remembered.set(token, { caller, expiresAt: Number(claims.exp) * 1000 });
      return { ok: true, caller, token };
    } catch (cause) {
      remembered.delete(token);
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'ERR_JWT_EXPIRED') return { ok: false, reason: 'expired', cause };
      return { ok: false, reason: token.split('.').length === 3 ? 'refused' : 'malformed', cause };
    }
  };

  return async (authorization, apiKey) => {
    const bearer = authorization === null ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null);
    if (authorization !== null && bearer === null) {
      return { ok: false, reason: 'malformed', cause: new Error('The Authorization header is not a bearer token.') };
    }
    const credential = bearer ?? apiKey;
    if (credential === null || credential === '' || credential === publishableKey) {
      // The official client sends the key in both places; where only `apikey` is the secret one, it counts.
      return isSecretKey(apiKey) ? service : visitor;
    }
    if (isSecretKey(credential)) return service;
    return verified(credential);
  };
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
