import type { RateLimitAnswer } from '#server/http/limit-peek.ts';
import type { LimitName } from '#server/http/limits.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import type { CodeChannel } from './code-queries.ts';

type Counts = Pick<AuthService, 'limits'>;

export interface CodeRequest {
  /** The e-mail address or number as it was typed, whether it has an account or not. */
  readonly account: string;
  /** The network address of the client. */
  readonly address: string;
  /** How the message would go, as far as the client may know. */
  readonly channel: CodeChannel;
}

/**
 * Counts a request for a message that anybody may ask for. The counts belong to the client and never to the account:
 * no one else can use them up, so they may refuse. Throws `codeGap`, `codeGapSms` or `tooManyRequests`.
 */
export async function takeRequestAllowance(service: Counts, request: CodeRequest): Promise<void> {
  await takeOrRefuse(service, 'code_requests_per_address', request.address);
  await takeRequestGap(service, request);
}

/** The same where the requests of an address are counted already. */
export async function takeRequestGap({ limits }: Counts, { account, address, channel }: CodeRequest): Promise<void> {
  const key = `${account} ${address}`;
  const gap = await limits.take('code_gap_per_account_and_address', key);
  if (!gap.allowed) throw gapError(channel, gap.retryAfterSeconds);
  await takeOrRefuse({ limits }, 'codes_per_account_and_address', key);
}

/** After a message that the client was told was not sent: the client may ask again at once. */
export async function giveBackRequestGap({ limits }: Counts, { account, address }: CodeRequest): Promise<void> {
  await limits.giveBack('code_gap_per_account_and_address', `${account} ${address}`);
}

const GAPS = { email: 'mail_gap_per_account', sms: 'sms_gap_per_account' } as const;

/** The limit that keeps two messages of a channel apart. */
export function gapOf(channel: CodeChannel): LimitName {
  return GAPS[channel];
}

/** Counts a code that somebody signed in asks for. Throws `codeGap`, `codeGapSms` or `tooManyRequests`. */
export async function takeAccountAllowance(service: Counts, userId: string, channel: CodeChannel): Promise<void> {
  const gap = await service.limits.take(gapOf(channel), accountKey(userId, channel));
  if (!gap.allowed) throw gapError(channel, gap.retryAfterSeconds);
  await takeOrRefuse(service, 'codes_per_account', accountKey(userId, channel));
}

/** After such a code could not be sent: it may be asked for again at once. */
export async function giveBackAccountAllowance(
  { limits }: Counts,
  userId: string,
  channel: CodeChannel,
): Promise<void> {
  const key = accountKey(userId, channel);
  await Promise.all([limits.giveBack(gapOf(channel), key), limits.giveBack('codes_per_account', key)]);
}

/** Codes to the phone leave those to the e-mail address alone. */
function accountKey(userId: string, channel: CodeChannel): string {
  return `${userId} ${channel}`;
}

function gapError(channel: CodeChannel, retryAfterSeconds: number): AuthError {
  return new AuthError(channel === 'sms' ? 'codeGapSms' : 'codeGap', { detail: retryAfterSeconds, retryAfterSeconds });
}

/** Throws `tooManyRequests` where the limit is used up. */
export async function takeOrRefuse({ limits }: Counts, name: LimitName, key: string): Promise<void> {
  refuseUnlessAllowed(await limits.take(name, key));
}

/** Throws `tooManyRequests` for an answer that says no. */
export function refuseUnlessAllowed(answer: RateLimitAnswer): void {
  if (!answer.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: answer.retryAfterSeconds });
}
