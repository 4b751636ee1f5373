import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { AuthService } from '../auth-service.ts';
import { type CodePurpose, MOST_FAILURES_IN_A_ROW, type TokenType } from './one-time-code.ts';

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
    values: [userId, recipient, tokenType, new Date(now()), ONE_TIME_CODE_TRIES],
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
