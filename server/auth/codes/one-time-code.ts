import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { ONE_TIME_CODE_LENGTH } from '#domain/account/validate-credentials.ts';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Transaction } from '#server/postgres/statement.ts';

/** After this many consecutive wrong codes, codes work only on known devices (NIST SP 800-63B-4, section 3.2.2). */
export const MOST_FAILURES_IN_A_ROW = 100;

/** What a code or a link is for. */
export type TokenType =
  | 'confirmation'
  | 'invite'
  | 'sign_in'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'phone_change'
  | 'reauthentication'
  | 'address_proof'
  | 'address_disowning';

/** What a code was made for. It is invalid for any other account, purpose or recipient. */
export interface AnyCodePurpose {
  readonly userId: string;
  readonly tokenType: TokenType | 'second_factor';
  /** The address or number it was sent to. */
  readonly recipient: string;
}

/** The same for a code or link that `/verify` accepts. */
export interface CodePurpose extends AnyCodePurpose {
  readonly tokenType: TokenType;
}

export interface OneTimeCodes {
  /** Returns 6 digits from the cryptographic random generator. */
  make(): string;
  /**
   * Returns what is stored. A million codes can be tried quickly, so the hash is keyed with a secret that is not in the
   * database.
   */
  hash(code: string, purpose: AnyCodePurpose): Buffer;
  /** Whether the code matches the stored hash or is the development code. Compares in constant time. */
  matches(code: string, purpose: AnyCodePurpose, stored: Buffer): boolean;
}

export interface OneTimeCodesOptions {
  readonly secret: string;
  /** Accepted in addition to the real code; null in production. */
  readonly developmentCode: string | null;
}

export function createOneTimeCodes({ secret, developmentCode }: OneTimeCodesOptions): OneTimeCodes {
  const key = deriveKey(secret, 'one-time codes');
  const hash: OneTimeCodes['hash'] = (code, { userId, tokenType, recipient }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, tokenType, recipient, code]))
      .digest();
  return {
    make: () => String(randomInt(10 ** ONE_TIME_CODE_LENGTH)).padStart(ONE_TIME_CODE_LENGTH, '0'),
    hash,
    matches: (code, purpose, stored) =>
      timingSafeEqual(hash(code, purpose), stored) ||
      (developmentCode !== null && timingSafeEqual(hash(code, purpose), hash(developmentCode, purpose))),
  };
}

/** Prefix of a link token that yields an authorization code, which requires the verifier, and never a session. */
const PKCE_PREFIX = 'pkce_';

/** Creates the token of a link: 256 random bits that only the message contains. */
function makeLinkToken({ withProofKey }: { readonly withProofKey: boolean }): string {
  return (withProofKey ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url');
}

/** Returns the stored hash of a link token. 256 random bits cannot be guessed, so the hash needs no key and no salt. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function hasProofKey(token: string): boolean {
  return token.startsWith(PKCE_PREFIX);
}

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
  /** For a change: hash of the cookie of the browser that began it. Null or omitted: as with the code before this one. */
  readonly begunOn?: Buffer | null;
  /** Hash of the requesting device's cookie, or null without a cookie. Omitted for requests by an operator. */
  readonly askedOn?: Buffer | null;
}

/** The proof time of a change that an operator began. It grants its session no recent proof. */
export const BY_NO_SESSION = new Date(0);

/** Two forms of one secret: digits to type and a link to follow. Only the message to the recipient may contain them. */
export interface Secrets {
  readonly code: string;
  readonly link: string;
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

/** What `putCode` needs of the auth service. */
interface CodeMaker {
  readonly codes: OneTimeCodes;
  readonly config: Pick<Config, 'testPhoneNumbers' | 'codeLifeSeconds' | 'linkLifeSeconds'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Kinds that only an operator or a session of the account requests: a new one takes the place of earlier ones. */
const REPLACES_EARLIER: ReadonlySet<TokenType> = new Set(['invite', 'reauthentication']);

/** Kinds whose recipient is what the account changes to: another recipient ends those of the previous one. */
const IS_OF_RECIPIENT: ReadonlySet<TokenType> = new Set(['email_change_current', 'email_change_new', 'phone_change']);

/**
 * Creates a code and a link. Earlier links of the same account and purpose stay valid, because anyone may request
 * another; the limits on requests bound their number. Earlier codes are kept, too, but a code that is entered is compared
 * with the newest one, and with the newest one that its browser requested (`countAttempt`). `REPLACES_EARLIER` and
 * `IS_OF_RECIPIENT` name the exceptions.
 */
export async function putCode(
  { codes, config, now }: CodeMaker,
  transaction: Transaction,
  pending: PendingCode,
): Promise<Secrets> {
  const { userId, tokenType, recipient, channel, challenge = null, provedAt = null, begunOn = null, askedOn } = pending;
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
                created_at, expires_at, link_expires_at, proved_at, begun_on, asked_on)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
               coalesce($11, ${ofEarlierCode('proved_at')}), coalesce($15, ${ofEarlierCode('begun_on')}), $13)
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
      begunOn,
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
  return { code, link, isCodeOff: rows[0]?.is_code_off ?? false };
}

/** Returns the SQL for a column of the code before this one, in the statement of `putCode`. */
function ofEarlierCode(column: 'proved_at' | 'begun_on'): string {
  return `(
    select earlier.${column} from auth.one_time_tokens as earlier
      where earlier.user_id = $1 and earlier.token_type = $2 order by earlier.id desc limit 1
  )`;
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
