import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from './auth-service.ts';
import { hashLinkToken, makeLinkToken } from './link-token.ts';
import {
  CODE_ATTEMPTS,
  type CodePurpose,
  type Guesser,
  MOST_FAILURES_IN_A_ROW,
  type TokenType,
} from './one-time-code.ts';
import { lockAddress } from './prove-email.ts';

export type CodeChannel = 'email' | 'sms';

export interface PendingCode extends CodePurpose {
  readonly channel: CodeChannel;
  /** It confirms a registration that took the place of another: its message says so. */
  readonly replacesAnother?: boolean;
  /** S256 of the verifier that the client keeps, where its link is to lead to a code. */
  readonly challenge?: string | null;
  /** Of a change: when the holder of the session that asks proved who they are. */
  readonly provedAt?: Date | null;
}

/** Two ways to say one thing: digits to type, and a link to follow. Nothing but the message to its owner may hold them. */
export interface Secrets {
  readonly code: string;
  readonly link: string;
}

/** Where an account notes when it was last sent what. */
const SENT_AT: Partial<Record<TokenType, string>> = {
  confirmation: 'confirmation_sent_at',
  invite: 'invited_at',
  recovery: 'recovery_sent_at',
  email_change_current: 'email_change_sent_at',
  email_change_new: 'email_change_sent_at',
  phone_change: 'phone_change_sent_at',
  reauthentication: 'reauthentication_sent_at',
};

/** Makes a code and a link in place of those that the account had for the same purpose, which are dead from then on. */
export async function putCode(
  { codes, config, now }: Pick<AuthService, 'codes' | 'config' | 'now'>,
  transaction: Transaction,
  pending: PendingCode,
): Promise<Secrets> {
  const { userId, tokenType, recipient, channel, challenge = null, provedAt = null } = pending;
  const code = config.testPhoneNumbers.get(recipient) ?? codes.make();
  const link = makeLinkToken({ withProofKey: challenge !== null });
  const at = now();
  await transaction.query({
    name: 'auth_put_code',
    text: `insert into auth.one_time_tokens
               (user_id, token_type, token_hash, link_hash, relates_to, channel, code_challenge,
                created_at, expires_at, link_expires_at, proved_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             on conflict (user_id, token_type) do update set
               token_hash = excluded.token_hash, link_hash = excluded.link_hash, relates_to = excluded.relates_to,
               channel = excluded.channel, code_challenge = excluded.code_challenge, attempts = 0, own_attempts = 0,
               created_at = excluded.created_at, expires_at = excluded.expires_at,
               link_expires_at = excluded.link_expires_at,
               proved_at = coalesce(excluded.proved_at, auth.one_time_tokens.proved_at)`,
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
  return { code, link };
}

/** A link that is asked for again is not good for longer than this after it was sent. */
const LONGEST_LINK_LIFE = "interval '1 day'";

/**
 * The living links of one kind in the messages to a recipient are good for as long as new ones would be, for a day at
 * most. Returns whether there is one. A link for a client with a proof key is nobody else's: it counts only for a
 * request that is bound as well.
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

/** Whether a code of one kind that an account was sent at a recipient can still be typed. */
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
    text: `select from auth.one_time_tokens
             where user_id = $1 and relates_to = $2 and token_type = $3 and expires_at > $4 and attempts < $5`,
    values: [userId, recipient, tokenType, new Date(now()), CODE_ATTEMPTS],
  });
  return rowCount === 1;
}

/** A living code or link, as it was sent. */
export interface SentToken extends CodePurpose {
  readonly channel: CodeChannel;
  readonly challenge: string | null;
  /** How its bearer knows it: typed, it belongs to the form that asked for it; a link may be followed unasked. */
  readonly shownAs: 'code' | 'link';
  /** Of a change: when the holder of the session that asked had proved who they are. */
  readonly provedAt: Date | null;
}

interface TokenRow {
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly relates_to: string;
  readonly channel: CodeChannel;
  readonly code_challenge: string | null;
  readonly proved_at: Date | null;
}

/**
 * Whose codes somebody guesses at: those of the accounts that have or claim an address, those sent to an address or number, or
 * those of the account with an id, which then stands for the address.
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

/** The accounts behind a guess, in one order, which stay as they are until the transaction ends, and so does the address. */
export async function lockGuessedAccounts(transaction: Transaction, guess: Guess): Promise<void> {
  // Begun together, so that whatever is asked next comes after both.
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
 * The living codes behind a guess, the newest first, with this attempt counted. Counting locks the row until the transaction ends, so
 * that of many guesses at once no more than the allowed ones ever see the hash.
 */
export async function countAttempt(
  transaction: Transaction,
  { by, address, tokenTypes }: Guess,
  { now, guesser }: { readonly now: number; readonly guesser: Guesser },
): Promise<(SentToken & { readonly storedHash: Buffer })[]> {
  // A stranger's guesses never use up those of the person who waits for the code.
  const attempts = guesser === 'stranger' ? 'attempts' : 'own_attempts';
  const { rows } = await transaction.query<TokenRow & { token_hash: Buffer; created_at: Date }>({
    name: `auth_count_attempt_by_${by}_${attempts}`,
    text: `update auth.one_time_tokens as code set ${attempts} = code.${attempts} + 1
             from auth.users as account
             where ${GUESSED_AT[by]} and account.deleted_at is null and code.user_id = account.id
               and code.token_type = any($2) and code.${attempts} < $3 and code.expires_at > $4
               and code.token_hash is not null
               and ($5 or not exists (
                 select from auth.code_failures as failed where failed.user_id = account.id and failed.in_a_row >= $6
               ))
             returning code.user_id, code.token_type, code.token_hash, code.relates_to, code.channel,
               code.code_challenge, code.proved_at, code.created_at`,
    values: [
      address,
      [...tokenTypes],
      CODE_ATTEMPTS,
      new Date(now),
      guesser === 'known-device',
      MOST_FAILURES_IN_A_ROW,
    ],
  });
  const newestFirst = rows.toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime());
  return newestFirst.map((row) => ({ ...sentToken(row, 'code'), storedHash: row.token_hash }));
}

/** Notes one more wrong code in a row for each account that was guessed at. */
export async function noteWrongCode(transaction: Transaction, userIds: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'auth_note_wrong_code',
    text: `insert into auth.code_failures as failed (user_id, in_a_row)
             select distinct unnest($1::uuid[]), 1
             on conflict (user_id) do update set in_a_row = failed.in_a_row + 1`,
    values: [[...userIds]],
  });
}

/** Whether an account whose codes are guessed at has signed in before on the device. */
export async function isDeviceOfGuess(
  from: Transaction,
  { by, address, tokenTypes }: Guess,
  deviceHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await from.query({
    name: `auth_device_of_guess_by_${by}`,
    text: `select from auth.one_time_tokens as code
             join auth.users as account on account.id = code.user_id
             join auth.known_devices as device on device.user_id = account.id and device.device_hash = $3
             where ${GUESSED_AT[by]} and code.token_type = any($2) limit 1`,
    values: [address, [...tokenTypes], deviceHash],
  });
  return rowCount === 1;
}

/** The living link with this token. Its account stays as it is until the transaction ends, and so does the link. */
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
  // The account before its codes, as everybody does who changes either: in the other order two would wait for each other.
  await transaction.query({
    name: 'auth_lock_account_of_link',
    text: `select from auth.users as account
             where account.id = (select user_id from auth.one_time_tokens where link_hash = $1) for update`,
    values,
  });
  const { rows } = await transaction.query<TokenRow>({
    name: 'auth_link',
    text: `select user_id, token_type, relates_to, channel, code_challenge, proved_at from auth.one_time_tokens
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
  };
}

/** Every code and link that would let somebody in to the account is gone. */
export async function spendCodes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_spend_codes',
    text: `with exchangeable as (delete from auth.authorization_codes where user_id = $1)
             delete from auth.one_time_tokens
               where user_id = $1 and token_type in ('confirmation', 'invite', 'sign_in', 'recovery', 'reauthentication')`,
    values: [userId],
  });
}

/** Codes and links of some purposes are gone, used or not. */
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

/** A change of the address or the number that waits for its proof is off, and what was sent for it is worth nothing. */
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
