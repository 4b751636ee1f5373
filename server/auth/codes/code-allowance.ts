import type { LimitName } from '#server/limits/limits.ts';
import type { RateLimitVerdict } from '#server/limits/rate-limits.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import type { CodeTransport } from './one-time-code.ts';

type Counts = Pick<AuthService, 'limits'>;

const GAPS = { email: 'mail_gap_per_account', sms: 'sms_gap_per_account' } as const;

/** The limit that spaces out messages of a transport. */
export function gapOf(channel: CodeTransport): LimitName {
  return GAPS[channel];
}

/** Counts a code requested by a signed-in user. Throws `codeGap`, `codeGapSms` or `tooManyRequests`. */
export async function takeAccountAllowance(service: Counts, userId: string, channel: CodeTransport): Promise<void> {
  const gap = await service.limits.take(gapOf(channel), accountKey(userId, channel));
  if (!gap.allowed) throw gapError(channel, gap.retryAfterSeconds);
  await takeOrRefuse(service, 'codes_per_account', accountKey(userId, channel));
}

/** Returns the allowance after such a code could not be sent, so that it may be requested again at once. */
export async function giveBackAccountAllowance(
  { limits }: Counts,
  userId: string,
  channel: CodeTransport,
): Promise<void> {
  const key = accountKey(userId, channel);
  await Promise.all([limits.giveBack(gapOf(channel), key), limits.giveBack('codes_per_account', key)]);
}

/** SMS and email have separate counters. */
function accountKey(userId: string, channel: CodeTransport): string {
  return `${userId} ${channel}`;
}

/** The error of a request that came too soon after another. */
export function gapError(channel: CodeTransport, retryAfterSeconds: number): AuthError {
  return new AuthError(channel === 'sms' ? 'codeGapSms' : 'codeGap', { detail: retryAfterSeconds, retryAfterSeconds });
}

/** Throws `tooManyRequests` where the limit is exhausted. */
export async function takeOrRefuse({ limits }: Counts, name: LimitName, key: string): Promise<void> {
  refuseUnlessAllowed(await limits.take(name, key));
}

/** Throws `tooManyRequests` for a verdict that refuses. */
export function refuseUnlessAllowed(response: RateLimitVerdict): void {
  if (!response.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: response.retryAfterSeconds });
}

/** A request for a message, as an unauthenticated client makes it. */
export interface CodeRequest {
  /** The email address or number as typed, whether or not it has an account. */
  readonly account: string;
  /** The network address of the client. */
  readonly address: string;
  /** How the message would be sent, as far as the client may know. */
  readonly channel: CodeTransport;
  /** Where the client says that the message goes, if not to the account's own address or number. */
  readonly recipient?: string;
  /** Mails for a new password have a gap of their own, so that a user without an account can register at once. */
  readonly isRecovery?: boolean;
}

/**
 * Counts an unauthenticated request for a message. The counters are keyed by client and not by account alone: no one
 * else can use them up, so they may refuse. Throws `codeGap`, `codeGapSms` or `tooManyRequests`.
 */
export async function takeRequestAllowance(service: Counts, request: CodeRequest): Promise<void> {
  await takeOrRefuse(service, 'auth_requests_per_address', `${request.address} codes`);
  await takeRequestGap(service, request);
}

/**
 * The same without the counter per network address, for callers that have already taken it.
 *
 * The gap separates two messages to one recipient, so a registration corrected to another number is not held back. All
 * recipients that a client names for one account share a counter, and each recipient has its own
 * (`takeUnprovedAllowance`), so naming other numbers does not allow flooding one.
 */
export async function takeRequestGap(service: Counts, request: CodeRequest): Promise<void> {
  const seconds = await tryRequestGap(service, request);
  if (seconds !== null) throw gapError(request.channel, seconds);
}

/** The same, but returns the seconds that are left of the gap; null where it was taken. */
export async function tryRequestGap({ limits }: Counts, request: CodeRequest): Promise<number | null> {
  const { account, address } = request;
  const [own, general] = gapKeysOf(request);
  const gap = await limits.take('code_gap_per_account_and_address', own);
  if (!gap.allowed) return gap.retryAfterSeconds;
  // A resend names only the account, and is a second message to whichever recipient it has.
  if (general !== own) await limits.take('code_gap_per_account_and_address', general);
  await takeOrRefuse({ limits }, 'codes_per_account_and_address', `${account} ${address}`);
  return null;
}

/** Returns the allowance after the client learned that no message was sent, so that it may retry at once. */
export async function giveBackRequestGap({ limits }: Counts, request: CodeRequest): Promise<void> {
  await Promise.all(
    [...new Set(gapKeysOf(request))].map((key) => limits.giveBack('code_gap_per_account_and_address', key)),
  );
}

/** The counter of the recipient, and the one of requests that name only the account. */
function gapKeysOf(request: CodeRequest): readonly [own: string, general: string] {
  const { account, address, recipient = account, isRecovery = false } = request;
  const general = isRecovery ? `recovery ${account} ${address}` : `${account} ${address}`;
  return [recipient === account ? general : `${account} ${recipient} ${address}`, general];
}
