import { createHash, timingSafeEqual } from 'node:crypto';
import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { AdditionalKeys } from './additional-keys.ts';
import { type RememberedToken, RememberedTokens } from './remembered-tokens.ts';
import type { TokenKeys } from './token-keys.ts';
import type { ReadTokenStanding } from './token-standing.ts';

/** Who a request comes from, or why its token is refused. */
export type ResolvedCaller =
  | {
      readonly ok: true;
      readonly caller: Caller;
      /** What the token says, also where its holder counts as a visitor until a second factor is shown. */
      readonly claims: Caller['claims'];
      readonly token: string | null;
    }
  | {
      readonly ok: false;
      /** The last three: the token was good, and then its session or its account came to an end, or was banned. */
      readonly reason: 'malformed' | 'expired' | 'refused' | 'ended' | 'banned' | 'user-gone';
      readonly cause: unknown;
    };

/**
 * Tells the caller from `Authorization: Bearer …` or, without one, from `apikey`. The publishable key is a visitor,
 * the secret key is the service, anything else must be an access token of ours. No key at all is a visitor too.
 *
 * A token is refused at the latest 5 s after its session has ended or its account was banned or deleted, whichever
 * server did it. One whose account has a second factor that was not shown yet is a visitor, with the claim
 * `unfinished_sign_in` {sub, session_id}. Throws where the database would have to be asked and does not answer.
 */
export type ResolveCaller = (authorization: string | null, apiKey: string | null) => Promise<ResolvedCaller>;

export interface ResolveCallerOptions {
  readonly tokens: TokenKeys;
  /** Count beside ours, for people's tokens and for API keys that are tokens. */
  readonly additionalKeys?: AdditionalKeys;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly readStanding: ReadTokenStanding;
  /** What a token was found worth is remembered only while the database tells of every change. */
  readonly database: Pick<Database, 'listen' | 'isHearing'>;
}

const SERVICE: Caller = Object.freeze({ role: 'service_role', claims: Object.freeze({ role: 'service_role' }) });

/** Resolves once it is told of every session that ends. */
export async function createResolveCaller(options: ResolveCallerOptions): Promise<ResolveCaller> {
  const { tokens, additionalKeys, publishableKey, secretKey, now, readStanding, database } = options;
  const secretDigest = digest(secretKey);
  // Digests have one length and tell nothing about how much of a guess was right.
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
      const claims = await tokens.verify(token);
      if (claims.role !== 'authenticated') throw new Error('Not a role of a person.');
      return claims;
    } catch (cause) {
      if (additionalKeys === undefined) throw cause;
      return additionalKeys.verify(token);
    }
  };
  const verify = async (token: string): Promise<RememberedToken | ResolvedCaller> => {
    try {
      const claims = await verifyClaims(token);
      if (claims.role === 'authenticated') return remembered.add(token, claims);
      // Only an additional key signs API keys.
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
    // What happened while the database was asked may not be in its answer.
    if (known.epoch === epoch && database.isHearing()) known.standing = { caller, until: standing.until };
    return { ok: true, caller, claims, token };
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
    return resolveToken(credential);
  };
}

/** A visitor to every policy and function, but for those that finish a sign-in. */
function unfinished({ sub, session_id, exp }: Caller['claims']): Caller {
  return { role: 'anon', claims: { role: 'anon', exp, unfinished_sign_in: { sub, session_id } } };
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
