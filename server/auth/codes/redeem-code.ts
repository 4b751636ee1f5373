import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import {
  type CodePurpose,
  type CodeTransport,
  hashLinkToken,
  MOST_FAILURES_IN_A_ROW,
  type TokenType,
} from './one-time-code.ts';

/** An unexpired code or link, as it was sent. */
export interface SentToken extends CodePurpose {
  readonly channel: CodeTransport;
  readonly challenge: string | null;
  /** How its holder got it: a code is typed into the form that requested it; a link may be followed by any reader. */
  readonly shownAs: 'code' | 'link';
  /** For a change: when the holder of the requesting session had last proved their identity; null where it is unknown. */
  readonly provedAt: Date | null;
  /** Hash of the cookie of the browser that began a change or registered an address; null where it is unknown. */
  readonly begunOn: Buffer | null;
  /** Hash of the cookie of the browser that requested this message; null where it is unknown. */
  readonly askedOn: Buffer | null;
}

interface TokenRow {
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly relates_to: string;
  readonly channel: CodeTransport;
  readonly code_challenge: string | null;
  readonly proved_at: Date | null;
  readonly begun_on: Buffer | null;
  readonly asked_on: Buffer | null;
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

export const GUESSED_AT = {
  account: '(account.email = $1 or account.claimed_email = $1)',
  recipient: 'code.relates_to = $1',
  id: 'account.id = $1::uuid',
} as const;

/**
 * A known device has guesses of its own at what its account has proved. A code that goes to a new address or number
 * proves something that the account does not have, so there its devices are like any other: otherwise each of them could
 * guess at the address of somebody else.
 */
const KNOWN_DEVICE = "code.token_type not in ('email_change_new', 'phone_change')";

/** Who guesses, and when. */
export interface Guessing {
  readonly now: number;
  /** Hash of the guessing device's cookie, or null without one. */
  readonly deviceHash: Buffer | null;
  /** Whether the guess is made in a session of the account, which counts as a known device. */
  readonly inSession?: boolean;
  /** How the guess counts for accounts that do not know the device; null if it is not compared with their codes. */
  readonly elsewhere: 'requesting-browser' | 'stranger' | null;
}

/** A code that a guess is compared with. */
interface ComparedCode extends SentToken {
  readonly storedHash: Buffer;
  /** Whether its account knows the guessing device. */
  readonly onKnownDevice: boolean;
}

/**
 * Returns the unexpired codes that a guess is compared with, newest first, with this attempt counted: of each account,
 * recipient and purpose the newest one, and the newest one that the guessing device requested. All registrations that
 * wait for one recipient count as one account here. So another client's request does not end a code, and one guess is
 * never compared with more than two of an account. Each account decides for itself whether it knows the device, so that
 * a stranger's claim of the address changes nothing for the device of its owner. Counting locks the rows until the
 * transaction ends, so that concurrent guesses never read a hash more often than allowed.
 */
export async function countAttempt(
  transaction: Transaction,
  { by, address, tokenTypes }: Guess,
  { now, deviceHash, inSession = false, elsewhere }: Guessing,
): Promise<ComparedCode[]> {
  const { rows } = await transaction.query<TokenRow & { id: string; token_hash: Buffer; is_known: boolean }>({
    name: `auth_count_attempt_by_${by}`,
    text: `with living as (
               select code.id, case when account.confirmed_at is null then null else code.user_id end as account,
                   code.relates_to, code.token_type, coalesce(code.asked_on = $7, false) as is_own, device.is_known,
                   -- Guesses of others do not use up the attempts of the client that requested the code.
                   device.is_known or ($8 and (code.asked_on is null or code.asked_on = $7)) as counts_as_own
                 from auth.one_time_tokens as code
                 join auth.users as account on account.id = code.user_id
                 cross join lateral (select $5 or ${KNOWN_DEVICE} and internal.is_known_device(account.id, $7)) as device (is_known)
                 where ${GUESSED_AT[by]} and account.deleted_at is null
                   and code.token_type = any($2) and code.expires_at > $4 and code.token_hash is not null
                   and (device.is_known or $9 and not exists (
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
               code.code_challenge, code.proved_at, code.begun_on, code.asked_on, code.created_at, living.is_known`,
    values: [
      address,
      [...tokenTypes],
      ONE_TIME_CODE_TRIES,
      new Date(now),
      inSession,
      MOST_FAILURES_IN_A_ROW,
      deviceHash,
      elsewhere === 'requesting-browser',
      elsewhere !== null,
    ],
  });
  const newestFirst = rows.toSorted((one, other) => Number(other.id) - Number(one.id));
  return newestFirst.map((row) => ({
    ...sentToken(row, 'code'),
    storedHash: row.token_hash,
    onKnownDevice: row.is_known,
  }));
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
 * Which accounts behind a guess know the device: some, all, or none. Several can claim one address, and to know the
 * device of one of them gives no rights to the codes of the others.
 */
export async function knowDeviceOfGuess(
  from: Transaction,
  { by, address, tokenTypes }: Guess,
  deviceHash: Buffer,
): Promise<'all' | 'some' | 'none'> {
  const { rows } = await from.query<{ readonly some: boolean | null; readonly all: boolean | null }>({
    name: `auth_device_of_guess_by_${by}`,
    text: `select bool_or(device.is_known) as some, bool_and(device.is_known) as all
             from auth.one_time_tokens as code
             join auth.users as account on account.id = code.user_id
             cross join lateral (select ${KNOWN_DEVICE} and internal.is_known_device(account.id, $3)) as device (is_known)
             where ${GUESSED_AT[by]} and account.deleted_at is null and code.token_type = any($2)`,
    values: [address, [...tokenTypes], deviceHash],
  });
  const [known] = rows;
  if (known?.all) return 'all';
  return known?.some ? 'some' : 'none';
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
    text: `select user_id, token_type, relates_to, channel, code_challenge, proved_at, begun_on, asked_on,
               created_at
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
    begunOn: row.begun_on,
    askedOn: row.asked_on,
  };
}

/** What a `type` on the wire accepts (docs/protocol/auth.md, Links), and how the account is found. */
export interface VerifyType {
  readonly by: Guess['by'];
  readonly tokenTypes: readonly TokenType[];
  /** The accepted kinds of link, where they differ from the kinds of code. */
  readonly linkTypes?: readonly TokenType[];
}

const VERIFY_TYPES: Readonly<Record<string, VerifyType>> = {
  signup: { by: 'account', tokenTypes: ['confirmation'] },
  invite: { by: 'account', tokenTypes: ['invite'] },
  magiclink: { by: 'account', tokenTypes: ['sign_in'] },
  recovery: { by: 'account', tokenTypes: ['recovery'] },
  email: {
    by: 'account',
    tokenTypes: ['confirmation', 'sign_in', 'recovery'],
    linkTypes: ['confirmation', 'sign_in', 'recovery', 'address_proof'],
  },
  email_change: { by: 'recipient', tokenTypes: ['email_change_current', 'email_change_new'] },
  sms: { by: 'recipient', tokenTypes: ['sign_in'] },
  phone_change: { by: 'recipient', tokenTypes: ['phone_change'] },
};

export function verifyTypeOf(name: string): VerifyType | undefined {
  return Object.hasOwn(VERIFY_TYPES, name) ? VERIFY_TYPES[name] : undefined;
}
