import type { Transaction } from '#server/postgres/statement.ts';
import { lockAddress } from '../accounts/prove-identifier.ts';
import type { AuthService } from '../auth-service.ts';
import { hashLinkToken, makeLinkToken } from './link-token.ts';
import {
  CODE_ATTEMPTS,
  type CodePurpose,
  type Guesser,
  MOST_FAILURES_IN_A_ROW,
  type TokenType,
} from './one-time-code.ts';

export type CodeTransport = 'email' | 'sms';

export interface PendingCode extends CodePurpose {
  readonly channel: CodeTransport;
  /** S256 challenge of the client's verifier, where the link is to return an authorization code. */
  readonly challenge?: string | null;
  /**
   * For a change: when the holder of the requesting session last proved their identity; `BY_NO_SESSION` where an operator
   * began it. Null or omitted: as with the code before this one, and unknown without one.
   */
  readonly provedAt?: Date | null;
  /** Hash of the requesting device's cookie, or null without a cookie. Omitted for requests by an operator. */
  readonly askedOn?: Buffer | null;
}

/** The proof time of a change that an operator began. It grants its session no recent proof. */
export const BY_NO_SESSION = new Date(0);

/** Two forms of one secret: digits to type and a link to follow. Only the message to the recipient may contain them. */
export interface Secrets {
  readonly code: string;
  readonly link: string;
  readonly madeAt: Date;
  /** Too many consecutive wrong codes: the requesting device's code would be refused. The link works. */
  readonly isCodeOff: boolean;
}

/** Which column of the account records when each kind was last sent. */
const SENT_AT: Partial<Record<TokenType, string>> = {
  confirmation: 'confirmation_sent_at',
  invite: 'invited_at',
  recovery: 'recovery_sent_at',
  email_change_current: 'email_change_sent_at',
  email_change_new: 'email_change_sent_at',
  phone_change: 'phone_change_sent_at',
  reauthentication: 'reauthentication_sent_at',
};

/** Kinds that only an operator or a session of the account requests: a new one takes the place of earlier ones. */
const REPLACES_EARLIER: ReadonlySet<TokenType> = new Set(['invite', 'reauthentication']);

/** Kinds whose recipient is what the account changes to: another recipient ends those of the previous one. */
const IS_OF_RECIPIENT: ReadonlySet<TokenType> = new Set(['email_change_current', 'email_change_new', 'phone_change']);

/**
 * Creates a code and a link. Earlier ones of the same account and purpose stay valid, because anyone may request another;
 * the limits on requests bound their number. `REPLACES_EARLIER` and `IS_OF_RECIPIENT` name the exceptions.
 */
export async function putCode(
  { codes, config, now }: Pick<AuthService, 'codes' | 'config' | 'now'>,
  transaction: Transaction,
  pending: PendingCode,
): Promise<Secrets> {
  const { userId, tokenType, recipient, channel, challenge = null, provedAt = null, askedOn } = pending;
  const code = config.testPhoneNumbers.get(recipient) ?? codes.make();
  const link = makeLinkToken({ withProofKey: challenge !== null });
  const at = now();
  // A reauthentication code is typed in a session, which counts as a known device.
  const mayBeOff = askedOn !== undefined && tokenType !== 'reauthentication';
  if (REPLACES_EARLIER.has(tokenType)) await deleteCodes(transaction, userId, [tokenType]);
  if (IS_OF_RECIPIENT.has(tokenType)) {
    await transaction.query({
      name: 'auth_end_codes_of_other_recipients',
      text: 'delete from auth.one_time_tokens where user_id = $1 and token_type = $2 and relates_to <> $3',
      values: [userId, tokenType, recipient],
    });
  }
  const { rows } = await transaction.query<{ readonly is_code_off: boolean }>({
    name: 'auth_put_code',
    text: `insert into auth.one_time_tokens
               (user_id, token_type, token_hash, link_hash, relates_to, channel, code_challenge,
                created_at, expires_at, link_expires_at, proved_at, asked_on)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, (
               select earlier.proved_at from auth.one_time_tokens as earlier
                 where earlier.user_id = $1 and earlier.token_type = $2 order by earlier.id desc limit 1
             )), $13)
             returning $12 and not internal.is_known_device($1, $13) and exists (
               select from auth.code_failures as failed where failed.user_id = $1 and failed.in_a_row >= $14
             ) as is_code_off`,
    values: [
      userId,
      tokenType,
      codes.hash(code, pending),
      hashLinkToken(link),
      recipient,
      channel,
      challenge,
      new Date(at),
      new Date(at + config.codeLifeSeconds * 1000),
      new Date(at + config.linkLifeSeconds * 1000),
      provedAt,
      mayBeOff,
      askedOn ?? null,
      MOST_FAILURES_IN_A_ROW,
    ],
  });
  const column = SENT_AT[tokenType];
  if (column !== undefined) {
    await transaction.query({
      name: `auth_${column}`,
      text: `update auth.users set ${column} = $2 where id = $1`,
      values: [userId, new Date(at)],
    });
  }
  return { code, link, madeAt: new Date(at), isCodeOff: rows[0]?.is_code_off ?? false };
}

/** How long after sending a link's life can still be extended. */
const LONGEST_LINK_LIFE = "interval '1 day'";

/**
 * Extends the unexpired links of one kind to a recipient to the life of a new link, at most a day after they were sent.
 * Returns whether there is such a link.
 *
 * A link bound to a proof key works only for the client with the verifier, so it counts only for a request that is
 * bound as well.
 */
export async function prolongLink(
  { alone, config, now }: Pick<AuthService, 'alone' | 'config' | 'now'>,
  {
    recipient,
    tokenType,
    isBound = false,
  }: { readonly recipient: string; readonly tokenType: TokenType; readonly isBound?: boolean },
): Promise<boolean> {
  const at = now();
  const { rowCount } = await alone.query({
    name: 'auth_prolong_link',
    text: `update auth.one_time_tokens
             set link_expires_at = greatest(link_expires_at, least($4, created_at + ${LONGEST_LINK_LIFE}))
             where relates_to = $1 and token_type = $2 and link_expires_at > $3
               and ($5 or code_challenge is null)`,
    values: [recipient, tokenType, new Date(at), new Date(at + config.linkLifeSeconds * 1000), isBound],
  });
  return (rowCount ?? 0) > 0;
}

/** Whether the newest unexpired code of one kind, sent to a recipient of an account, has attempts left. */
export async function hasLivingCode(
  { alone, now }: Pick<AuthService, 'alone' | 'now'>,
  {
    userId,
    recipient,
    tokenType,
  }: { readonly userId: string | null; readonly recipient: string; readonly tokenType: TokenType },
): Promise<boolean> {
  const { rowCount } = await alone.query({
    name: 'auth_living_code',
    text: `select from (
               select attempts from auth.one_time_tokens
                 where user_id = $1 and relates_to = $2 and token_type = $3 and expires_at > $4 order by id desc limit 1
             ) as newest
             where attempts < $5`,
    values: [userId, recipient, tokenType, new Date(now()), CODE_ATTEMPTS],
  });
  return rowCount !== 0;
}

/**
 * Whether codes are off, for all but known devices, for an account or for one that was sent a code of the kind at the
 * recipient.
 */
export async function areCodesOff(
  { alone }: Pick<AuthService, 'alone'>,
  { userId, recipient, tokenType }: Pick<CodePurpose, 'recipient' | 'tokenType'> & { readonly userId: string | null },
): Promise<boolean> {
  const { rowCount } = await alone.query({
    name: 'auth_codes_off',
    text: `select from auth.code_failures
             where in_a_row >= $4 and user_id = any(array(
               select user_id from auth.one_time_tokens where relates_to = $2 and token_type = $3
             ) || $1::uuid)
             limit 1`,
    values: [userId, recipient, tokenType, MOST_FAILURES_IN_A_ROW],
  });
  return rowCount !== 0;
}

/** An unexpired code or link, as it was sent. */
export interface SentToken extends CodePurpose {
  readonly channel: CodeTransport;
  readonly challenge: string | null;
  /** How its holder got it: a code is typed into the form that requested it; a link may be followed by any reader. */
  readonly shownAs: 'code' | 'link';
  /** For a change: when the holder of the requesting session had last proved their identity; null where it is unknown. */
  readonly provedAt: Date | null;
  readonly madeAt: Date;
}

interface TokenRow {
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly relates_to: string;
  readonly channel: CodeTransport;
  readonly code_challenge: string | null;
  readonly proved_at: Date | null;
  readonly created_at: Date;
}

/**
 * Selects the codes a guess is checked against: those of accounts that have or claim `address` (`account`), those sent
 * to `address` (`recipient`), or those of the account whose id is in `address` (`id`).
 */
export interface Guess {
  readonly by: 'account' | 'recipient' | 'id';
  readonly address: string;
  readonly tokenTypes: readonly TokenType[];
}

const GUESSED_AT = {
  account: '(account.email = $1 or account.claimed_email = $1)',
  recipient: 'code.relates_to = $1',
  id: 'account.id = $1::uuid',
} as const;

/**
 * Locks the address and the accounts behind a guess until the transaction ends, accounts in id order so that two
 * transactions cannot deadlock.
 */
export async function lockGuessedAccounts(transaction: Transaction, guess: Guess): Promise<void> {
  // Both are sent together on one connection, so that a later statement runs after both.
  await Promise.all([
    guess.by !== 'id' && lockAddress(transaction, guess.address),
    transaction.query({
      name: `auth_lock_guessed_by_${guess.by}`,
      text: `select from auth.users as account
               where account.deleted_at is null and exists (
                 select from auth.one_time_tokens as code
                   where code.user_id = account.id and code.token_type = any($2) and ${GUESSED_AT[guess.by]}
               )
               order by account.id for update of account`,
      values: [guess.address, [...guess.tokenTypes]],
    }),
  ]);
}

/**
 * Returns the unexpired codes that a guess is compared with, newest first, with this attempt counted: of each account,
 * recipient and purpose the newest one, and the newest one that the guessing device requested. All registrations that
 * wait for one recipient count as one account here. So another client's request does not end a code, and one guess is
 * never compared with more than two. Counting locks the rows until the transaction ends,
 * so that concurrent guesses never read a hash more often than allowed.
 */
export async function countAttempt(
  transaction: Transaction,
  { by, address, tokenTypes }: Guess,
  { now, guesser, deviceHash }: { readonly now: number; readonly guesser: Guesser; readonly deviceHash: Buffer | null },
): Promise<(SentToken & { readonly storedHash: Buffer })[]> {
  const { rows } = await transaction.query<TokenRow & { id: string; token_hash: Buffer }>({
    name: `auth_count_attempt_by_${by}`,
    text: `with living as (
               select code.id, case when account.confirmed_at is null then null else code.user_id end as account,
                   code.relates_to, code.token_type, coalesce(code.asked_on = $7, false) as is_own,
                   -- Nobody else's guesses use up the attempts of the client that requested the code.
                   $5 or ($8 and (code.asked_on is null or code.asked_on = $7)) as counts_as_own
                 from auth.one_time_tokens as code
                 join auth.users as account on account.id = code.user_id
                 where ${GUESSED_AT[by]} and account.deleted_at is null
                   and code.token_type = any($2) and code.expires_at > $4 and code.token_hash is not null
                   and ($5 or not exists (
                     select from auth.code_failures as failed where failed.user_id = account.id and failed.in_a_row >= $6
                   ))
             ), compared as (
               select max(id) as id from living group by account, relates_to, token_type
               union
               select max(id) from living where is_own group by account, relates_to, token_type
             )
             update auth.one_time_tokens as code set
               attempts = code.attempts + (not living.counts_as_own)::integer,
               own_attempts = code.own_attempts + living.counts_as_own::integer
             from compared join living using (id)
             where code.id = compared.id
               and case when living.counts_as_own then code.own_attempts else code.attempts end < $3
             returning code.id, code.user_id, code.token_type, code.token_hash, code.relates_to, code.channel,
               code.code_challenge, code.proved_at, code.created_at`,
    values: [
      address,
      [...tokenTypes],
      CODE_ATTEMPTS,
      new Date(now),
      guesser === 'known-device',
      MOST_FAILURES_IN_A_ROW,
      deviceHash,
      guesser === 'asker',
    ],
  });
  const newestFirst = rows.toSorted((one, other) => Number(other.id) - Number(one.id));
  return newestFirst.map((row) => ({ ...sentToken(row, 'code'), storedHash: row.token_hash }));
}

/** Counts one more consecutive wrong code for each guessed account. */
export async function noteWrongCode(transaction: Transaction, userIds: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'auth_note_wrong_code',
    text: `insert into auth.code_failures as failed (user_id, in_a_row)
             select distinct unnest($1::uuid[]), 1
             on conflict (user_id) do update set in_a_row = failed.in_a_row + 1`,
    values: [[...userIds]],
  });
}

/**
 * Whether all accounts behind a guess know the device. Several can claim one address, and to know the device of one of
 * them gives no rights to the codes of the others.
 */
export async function isDeviceOfGuess(
  from: Transaction,
  { by, address, tokenTypes }: Guess,
  deviceHash: Buffer,
): Promise<boolean> {
  const { rows } = await from.query<{ readonly is_known: boolean | null }>({
    name: `auth_device_of_guess_by_${by}`,
    text: `select bool_and(internal.is_known_device(account.id, $3)) as is_known from auth.one_time_tokens as code
             join auth.users as account on account.id = code.user_id
             where ${GUESSED_AT[by]} and account.deleted_at is null and code.token_type = any($2)`,
    values: [address, [...tokenTypes], deviceHash],
  });
  return rows[0]?.is_known ?? false;
}

/** Returns the unexpired link with this token. The link and its account are locked until the transaction ends. */
export async function lockLink(
  transaction: Transaction,
  {
    token,
    tokenTypes,
    now,
  }: { readonly token: string; readonly tokenTypes: readonly TokenType[]; readonly now: number },
): Promise<SentToken | undefined> {
  const values = [hashLinkToken(token)];
  await transaction.query({
    name: 'auth_lock_address_of_link',
    text: `select pg_advisory_xact_lock(hashtextextended('email:' || relates_to, 0))
             from auth.one_time_tokens where link_hash = $1 and channel = 'email'`,
    values,
  });
  // Lock order: the account before its codes, as in every transaction that changes either. The other order could
  // deadlock.
  await transaction.query({
    name: 'auth_lock_account_of_link',
    text: `select from auth.users as account
             where account.id = (select user_id from auth.one_time_tokens where link_hash = $1) for update`,
    values,
  });
  const { rows } = await transaction.query<TokenRow>({
    name: 'auth_link',
    text: `select user_id, token_type, relates_to, channel, code_challenge, proved_at, created_at
             from auth.one_time_tokens
             where link_hash = $1 and token_type = any($2) and link_expires_at > $3`,
    values: [...values, [...tokenTypes], new Date(now)],
  });
  return rows[0] && sentToken(rows[0], 'link');
}

function sentToken(row: TokenRow, shownAs: SentToken['shownAs']): SentToken {
  return {
    userId: row.user_id,
    tokenType: row.token_type,
    recipient: row.relates_to,
    channel: row.channel,
    challenge: row.code_challenge,
    shownAs,
    provedAt: row.proved_at,
    madeAt: row.created_at,
  };
}

/** Deletes every code and link that could open a session of the account. */
export async function spendCodes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_spend_codes',
    text: `with exchangeable as (delete from auth.authorization_codes where user_id = $1)
             delete from auth.one_time_tokens
               where user_id = $1 and token_type in ('confirmation', 'invite', 'sign_in', 'recovery', 'reauthentication')`,
    values: [userId],
  });
}

/** Deletes the account's codes and links of the given kinds. */
export async function deleteCodes(
  transaction: Transaction,
  userId: string,
  tokenTypes: readonly TokenType[],
): Promise<void> {
  await transaction.query({
    name: 'auth_delete_codes',
    text: 'delete from auth.one_time_tokens where user_id = $1 and token_type = any($2)',
    values: [userId, [...tokenTypes]],
  });
}

/** Cancels pending changes of the address or the number and deletes their codes. */
export async function dropPendingChanges(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_drop_pending_changes',
    text: `with codes as (
               delete from auth.one_time_tokens
                 where user_id = $1 and token_type in ('email_change_current', 'email_change_new', 'phone_change')
             )
             update auth.users set
               new_email = null, email_change_sent_at = null, email_change_awaits = '{}',
               new_phone = null, phone_change_sent_at = null
             where id = $1`,
    values: [userId],
  });
}
