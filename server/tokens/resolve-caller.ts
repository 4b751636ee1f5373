import { createHash, timingSafeEqual } from 'node:crypto';
import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { AdditionalKeys } from './additional-keys.ts';
import { isSignedByKnownKey } from './claims-refused.ts';
import { type RememberedToken, RememberedTokens } from './remembered-tokens.ts';
import type { TokenKeys } from './token-keys.ts';
import type { ReadTokenStanding } from './token-standing.ts';

/** The caller of a request, or why its token is refused. */
export type ResolvedCaller =
  | {
      readonly ok: true;
      readonly caller: Caller;
      /** The token's claims, also while its holder counts as a visitor until a second factor is shown. */
      readonly claims: Caller['claims'];
      readonly token: string | null;
    }
  | {
      readonly ok: false;
      /** For the last three the token was valid, but its session or account has ended or was banned. */
      readonly reason: 'malformed' | 'expired' | 'refused' | 'ended' | 'banned' | 'user-gone';
      /** `ClaimsRefused` if a key of ours signed the token and its claims are not for this service. */
      readonly cause: unknown;
    };

/**
 * Identifies the caller by `Authorization: Bearer …`, else by `apikey`. The publishable key or no key means a visitor,
 * the secret key means the service, and anything else must be an access token of ours.
 *
 * A token is refused at most 5 s after its session has ended or its account was banned or deleted, on whichever server.
 * While an account's second factor has not been shown, its holder is a visitor with the claim `unfinished_sign_in`
 * {sub, session_id}. Rejects where the database is needed and does not respond. A key is resolved without a promise,
 * because a look-up resolves two.
 */
export type ResolveCaller = (
  authorization: string | null,
  apiKey: string | null,
) => ResolvedCaller | Promise<ResolvedCaller>;

export interface ResolveCallerOptions {
  readonly tokens: TokenKeys;
  /** Accepted in addition to our own keys, for users' tokens and API keys in token form. */
  readonly additionalKeys?: AdditionalKeys;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly readStanding: ReadTokenStanding;
  /** Results are cached only while the database reports every change. */
  readonly database: Pick<Database, 'listen' | 'isHearing'>;
}

const SERVICE: Caller = Object.freeze({ role: 'service_role', claims: Object.freeze({ role: 'service_role' }) });

/** Resolves once it is subscribed to ended sessions. */
export async function createResolveCaller(options: ResolveCallerOptions): Promise<ResolveCaller> {
  const { tokens, additionalKeys, publishableKey, secretKey, now, readStanding, database } = options;
  const secretDigest = digest(secretKey);
  // Digests have equal length, and comparing them reveals nothing about the key.
  const isSecretKey = (key: string | null) =>
    key?.startsWith('sb_secret_') === true && timingSafeEqual(digest(key), secretDigest);
  const visitor: ResolvedCaller = Object.freeze({ ok: true, caller: VISITOR, claims: VISITOR.claims, token: null });
  const service: ResolvedCaller = Object.freeze({ ok: true, caller: SERVICE, claims: SERVICE.claims, token: null });

  const remembered = new RememberedTokens();
  const listener = {
    onPayload: (name: string) => remembered.doubt(name),
    onGap: () => remembered.doubtAll(),
  };
  await database.listen('session_ended', listener);
  await database.listen('account_access_changed', listener);

  const verifyClaims = async (token: string) => {
    try {
      return await tokens.verify(token);
    } catch (cause) {
      if (additionalKeys === undefined) throw cause;
      return additionalKeys.verify(token).catch((failure: unknown) => {
        throw isSignedByKnownKey(cause) ? cause : failure;
      });
    }
  };
  const verify = async (token: string): Promise<RememberedToken | ResolvedCaller> => {
    try {
      const claims = await verifyClaims(token);
      if (claims.role === 'authenticated') return remembered.add(token, claims);
      // Only additional keys sign API keys.
      const role = claims.role === 'service_role' ? 'service_role' : 'anon';
      return { ok: true, caller: { role, claims }, claims, token: null };
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'ERR_JWT_EXPIRED') return { ok: false, reason: 'expired', cause };
      return { ok: false, reason: token.split('.').length === 3 ? 'refused' : 'malformed', cause };
    }
  };

  const resolveToken = async (token: string): Promise<ResolvedCaller> => {
    const known = remembered.get(token, now()) ?? (await verify(token));
    if ('ok' in known) return known;
    const { claims, standing: before, epoch } = known;
    if (before !== null && before.until > now() && database.isHearing()) {
      return { ok: true, caller: before.caller, claims, token };
    }
    const standing = await readStanding(claims);
    if (standing.outcome !== 'stands') return { ok: false, reason: standing.outcome, cause: null };
    const caller: Caller = standing.unfinished ? unfinished(claims) : { role: 'authenticated', claims };
    // A change during the query may be missing from its result, so the result is not cached.
    if (known.epoch === epoch && database.isHearing()) known.standing = { caller, until: standing.until };
    return { ok: true, caller, claims, token };
  };

  return (authorization, apiKey) => {
    const bearer = authorization === null ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null);
    if (authorization !== null && bearer === null) {
      return { ok: false, reason: 'malformed', cause: new Error('The Authorization header is not a bearer token.') };
    }
    const credential = bearer ?? apiKey;
    if (credential === null || credential === '' || credential === publishableKey) {
      // The official client sends the key in both headers. The secret key also counts where only `apikey` has it.
      return isSecretKey(apiKey) ? service : visitor;
    }
    if (isSecretKey(credential)) return service;
    return resolveToken(credential);
  };
}

/** Returns a caller that is a visitor to all policies and functions, except those that finish a sign-in. */
function unfinished({ sub, session_id, exp }: Caller['claims']): Caller {
  return { role: 'anon', claims: { role: 'anon', exp, unfinished_sign_in: { sub, session_id } } };
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
