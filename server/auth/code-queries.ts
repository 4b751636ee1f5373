import type { Transaction } from '#server/postgres/statement.ts';
import { CODE_ATTEMPTS, CODE_LIFE_MS, type CodePurpose, type OneTimeCodes } from './one-time-code.ts';

export type CodeChannel = 'email' | 'sms';

export interface PendingCode extends CodePurpose {
  readonly channel: CodeChannel;
  /** It confirms a registration that took the place of another: its message says so. */
  readonly replacesAnother?: boolean;
}

/**
 * Makes a code in place of the one that the account had for the same purpose, which is dead from then on. Returns
 * it: nothing but the message to its owner may hold it.
 */
export async function putCode(
  transaction: Transaction,
  { codes, pending, now }: { readonly codes: OneTimeCodes; readonly pending: PendingCode; readonly now: number },
): Promise<string> {
  const { userId, tokenType, recipient, channel } = pending;
  const code = codes.make();
  await transaction.query({
    name: 'auth_put_code',
    text: `insert into auth.one_time_tokens
               (user_id, token_type, token_hash, relates_to, channel, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (user_id, token_type) do update set
               token_hash = excluded.token_hash, relates_to = excluded.relates_to, channel = excluded.channel,
               attempts = 0, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    values: [
      userId,
      tokenType,
      codes.hash(code, pending),
      recipient,
      channel,
      new Date(now),
      new Date(now + CODE_LIFE_MS),
    ],
  });
  if (tokenType === 'confirmation') {
    await transaction.query({
      name: 'auth_confirmation_sent',
      text: 'update auth.users set confirmation_sent_at = $2 where id = $1',
      values: [userId, new Date(now)],
    });
  }
  return code;
}

export interface CountedCode extends PendingCode {
  readonly storedHash: Buffer;
}

/**
 * The living codes of an address, with this attempt counted. Counting locks the row until the transaction ends, so
 * that of many guesses at once no more than the allowed ones ever see the hash.
 */
export async function countAttempt(
  transaction: Transaction,
  { email, tokenTypes, now }: { readonly email: string; readonly tokenTypes: readonly string[]; readonly now: number },
): Promise<CountedCode[]> {
  const { rows } = await transaction.query<{
    user_id: string;
    token_type: CodePurpose['tokenType'];
    token_hash: Buffer;
    relates_to: string;
    channel: CodeChannel;
  }>({
    name: 'auth_count_attempt',
    text: `update auth.one_time_tokens as code set attempts = code.attempts + 1
             from auth.users as account
             where account.email = $1 and account.deleted_at is null and code.user_id = account.id
               and code.token_type = any($2) and code.attempts < $3 and code.expires_at > $4
             returning code.user_id, code.token_type, code.token_hash, code.relates_to, code.channel`,
    values: [email, [...tokenTypes], CODE_ATTEMPTS, new Date(now)],
  });
  return rows.map((row) => ({
    userId: row.user_id,
    tokenType: row.token_type,
    recipient: row.relates_to,
    channel: row.channel,
    storedHash: row.token_hash,
  }));
}

/** Every code that would let somebody in to the account is gone. */
export async function spendCodes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_spend_codes',
    text: `delete from auth.one_time_tokens where user_id = $1 and token_type in ('confirmation', 'sign_in')`,
    values: [userId],
  });
}
