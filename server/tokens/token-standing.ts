import { isUuid } from '#server/is-uuid.ts';
import type { Database } from '#server/postgres/database.ts';

/** The state of an access token with a verified signature. */
type TokenStanding =
  | {
      readonly outcome: 'stands';
      /**
       * The account has a second factor that this sign-in has not shown. Until then its holder may only finish signing
       * in.
       */
      readonly unfinished: boolean;
      /** When the session expires, in milliseconds since the epoch; Infinity where it does not. */
      readonly until: number;
    }
  | { readonly outcome: 'ended' | 'banned' | 'user-gone' };

const ENDED: TokenStanding = Object.freeze({ outcome: 'ended' });

export type ReadTokenStanding = (claims: Readonly<Record<string, unknown>>) => Promise<TokenStanding>;

interface Row {
  readonly account_known: boolean;
  readonly deleted_at: Date | null;
  readonly banned_until: Date | null;
  readonly has_factor: boolean;
  readonly session_aal: 'aal1' | 'aal2' | null;
  readonly not_after: Date | null;
}

/**
 * Queries the database. A token without a session, such as one signed with an operator's own key, is valid while its
 * account is.
 */
export function createReadTokenStanding({
  database,
  now,
}: {
  readonly database: Pick<Database, 'asService'>;
  readonly now: () => number;
}): ReadTokenStanding {
  return async ({ sub, session_id: sessionId, aal }) => {
    const namesSession = sessionId !== undefined;
    if (typeof sub !== 'string' || !isUuid(sub)) {
      // An operator's own key may sign for users without an account here. A session always belongs to an account.
      return namesSession ? ENDED : { outcome: 'stands', unfinished: false, until: Number.POSITIVE_INFINITY };
    }
    if (namesSession && (typeof sessionId !== 'string' || !isUuid(sessionId))) return ENDED;
    const { rows } = await database.asService<Row>({
      name: 'token_standing',
      text: `select account.id is not null as account_known, account.deleted_at, account.banned_until, exists (
                 select from auth.mfa_factors as factor where factor.user_id = account.id and factor.status = 'verified'
               ) as has_factor, session.aal as session_aal, session.not_after
               from (values ($1::uuid, $2::uuid)) as named (user_id, session_id)
               left join auth.users as account on account.id = named.user_id
               left join auth.sessions as session on session.id = named.session_id and session.user_id = account.id`,
      values: [sub, sessionId ?? null],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('A query that returns one row returned none.');
    if (row.deleted_at !== null || (namesSession && !row.account_known)) return { outcome: 'user-gone' };
    // node-postgres returns PostgreSQL's 'infinity' as the number Infinity.
    if (Number(row.banned_until ?? 0) > now()) return { outcome: 'banned' };
    const until = Number(row.not_after ?? Number.POSITIVE_INFINITY);
    if (namesSession && (row.session_aal === null || until <= now())) return ENDED;
    const shown = aal === 'aal2' && (!namesSession || row.session_aal === 'aal2');
    return { outcome: 'stands', unfinished: row.has_factor && !shown, until };
  };
}
