import type { LimitName } from '#server/http/limits.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import type { CodeChannel } from './code-queries.ts';

/**
 * Takes one from what an account may ask for: the gap between two codes, and codes a day. It counts by the address as
 * it was typed, so it tells nothing of whether there is such an account. Throws `codeGap` or `tooManyRequests`.
 */
export async function takeCodeAllowance(
  { limits }: Pick<AuthService, 'limits'>,
  email: string,
  channel: CodeChannel,
): Promise<void> {
  const gap = await limits.take('code_gap_per_account', email);
  if (!gap.allowed) {
    const { retryAfterSeconds } = gap;
    throw new AuthError(channel === 'sms' ? 'codeGapSms' : 'codeGap', { detail: retryAfterSeconds, retryAfterSeconds });
  }
  await takeOrRefuse({ limits }, 'codes_per_account', email);
}

/** The key for codes that somebody signed in asks for: those to the phone leave those to the address alone. */
export function allowanceOfAccount(userId: string, channel: CodeChannel): string {
  return `${userId} ${channel}`;
}

/** After a code could not be sent: its owner may ask again at once. */
export async function giveBackCodeAllowance({ limits }: Pick<AuthService, 'limits'>, email: string): Promise<void> {
  await Promise.all([limits.giveBack('code_gap_per_account', email), limits.giveBack('codes_per_account', email)]);
}

/** Throws `tooManyRequests` where the limit is used up. */
export async function takeOrRefuse(
  { limits }: Pick<AuthService, 'limits'>,
  name: LimitName,
  key: string,
): Promise<void> {
  const answer = await limits.take(name, key);
  if (!answer.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: answer.retryAfterSeconds });
}
