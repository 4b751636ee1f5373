import { setTimeout as pause } from 'node:timers/promises';
import type { LimitName } from '#server/limits/limits.ts';
import { type Counter, takeAll } from '#server/limits/rate-limits.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from '../auth-service.ts';
import { gapOf } from './code-allowance.ts';
import { areCodesOff, hasLivingCode, prolongLink } from './earlier-codes.ts';
import { putCode, type TokenType } from './one-time-code.ts';
import { type CodeMessage, type Destination, sendCode } from './send-code.ts';
import { takeSmsAllowance } from './sms-allowance.ts';
import { takeUnprovedAllowance } from './unproved-allowance.ts';

/** A message that an unauthenticated client may request. */
export interface RequestedMessage extends Destination {
  /** The email address or number it was requested by. */
  readonly account: string;
  /** The account it is for; null where there is none yet. */
  readonly userId: string | null;
  readonly tokenType: TokenType;
  /** Whether that account has proved the recipient. */
  readonly isProved: boolean;
  /** Hash of the requesting device's cookie, where the account has signed in on that device before. */
  readonly knownDevice?: Buffer | null;
  /** The client's network address. Needed for a recipient that the account has not proved. */
  readonly client?: string;
  /** Whether its link works only for the client with the proof key. */
  readonly isBound?: boolean;
  /** The message carries neither code nor link, so nothing is lost where it is not sent. */
  readonly isNotice?: boolean;
}

/** The counters taken for a message. */
export type MessageAllowance = readonly Counter<LimitName>[];

type Service = Pick<AuthService, 'limits' | 'alone' | 'config' | 'database' | 'secrets' | 'log' | 'now'>;

/**
 * Counts a message requested by an unauthenticated client. Takes the first of several ways whose limits allow it, and
 * returns the counters taken, or null where no message is sent now.
 *
 * Strangers can exhaust these counters, so they never lock an owner out, and the client gets the same response as if a
 * message had been sent:
 * - Within the gap after an earlier message, that message still works.
 * - Where another limit holds back an email, the link in the earlier email is extended. Where there is none, the email
 *   is sent all the same, to a proved address. One that is not proved may be another person's: it gets the day's few, and
 *   the first email for each network address.
 * - Where a limit holds back an SMS, the code in the earlier SMS still works. Where there is none, the next way is
 *   tried.
 * - An SMS whose code would be refused, because codes are off for the account, goes the next way too.
 */
export async function takeMessageAllowance<Way extends RequestedMessage>(
  service: Service,
  ...destinations: readonly Way[]
): Promise<{ readonly way: Way; readonly allowance: MessageAllowance } | null> {
  for (const way of destinations) {
    if (await isWorthNothing(service, way)) continue;
    const gap = gapsOf(way);
    if ((await takeAll(service.limits, gap)).retryAfterSeconds !== null) {
      await isOnItsWay(service, way);
      return null;
    }
    const counted = await count(service, way);
    if (counted !== null) return { way, allowance: [...gap, ...counted] };
    if (way.isNotice || (await isOnItsWay(service, way))) return null;
    if (way.channel === 'email' && way.isProved) return { way, allowance: gap };
    // No message of the last minute holds the next request up.
    await giveBackMessageAllowance(service, gap);
  }
  return null;
}

/**
 * Whether an SMS would be useless: it contains only a code, and the code would be refused, because codes are off or the
 * day's guesses are used up.
 */
async function isWorthNothing(service: Service, { channel, knownDevice = null, ...message }: RequestedMessage) {
  if (channel !== 'sms' || knownDevice !== null) return false;
  return (await areGuessesUsedUp(service, message.account)) || areCodesOff(service, message);
}

/** Whether a browser that requests a code now could not enter it today (`code_failures_of_askers`). */
export async function areGuessesUsedUp({ limits }: Pick<AuthService, 'limits'>, account: string): Promise<boolean> {
  return !(await limits.peek(['code_failures_of_askers', account])).allowed;
}

/** Whether an earlier message still serves. Extends the life of its link. */
async function isOnItsWay(service: Service, message: RequestedMessage): Promise<boolean> {
  const hasLink = message.channel === 'email' || message.tokenType === 'recovery';
  return hasLink ? prolongLink(service, message) : hasLivingCode(service, message);
}

function gapsOf({ account, channel, recipient, tokenType, knownDevice = null }: RequestedMessage): MessageAllowance {
  return knownDevice === null ? [[gapOf(channel), `${account} ${tokenType} ${recipient}`]] : [];
}

async function count(service: Service, message: RequestedMessage): Promise<MessageAllowance | null> {
  const { channel, recipient: number, isProved, knownDevice = null } = message;
  const taken = await takeCounters(service, message);
  if (taken === null || channel === 'email') return taken;
  const ofNumber = knownDevice === null ? [] : (['sms_per_number_from_known_devices'] as const);
  if ((await takeSmsAllowance(service, { number, isProved, ofNumber })).allowed) return taken;
  await giveBackMessageAllowance(service, taken);
  return null;
}

function countersOf(message: RequestedMessage): MessageAllowance {
  const { account, tokenType, knownDevice = null } = message;
  if (knownDevice !== null) return [['codes_per_known_device', `${account} ${knownDevice.toString('hex')}`]];
  return [['codes_per_account', `${account} ${tokenType}`]];
}

async function takeCounters(service: Service, message: RequestedMessage): Promise<MessageAllowance | null> {
  const { channel, recipient, isProved, knownDevice = null } = message;
  // An SMS that is held back goes by email, and a notice is nobody's own code.
  const client = channel === 'sms' || message.isNotice === true ? '' : (message.client ?? '');
  const taken = countersOf(message);
  if ((await takeAll(service.limits, taken)).retryAfterSeconds !== null) return null;
  if (isProved || knownDevice !== null) return taken;
  const ofRecipient = await takeUnprovedAllowance(service, { channel, recipient, client });
  if (ofRecipient !== null) return [...taken, ...ofRecipient];
  await giveBackMessageAllowance(service, taken);
  return null;
}

/** Returns the allowance after a message was not sent. Counters of what the service pays for stay taken. */
export async function giveBackMessageAllowance(
  { limits }: Pick<AuthService, 'limits'>,
  allowance: MessageAllowance,
): Promise<void> {
  await Promise.all(allowance.map(([name, key]) => limits.giveBack(name, key)));
}

/** Sends within an allowance and returns the allowance where sending fails. Rethrows the failure. */
export async function sendWithin(
  service: Pick<AuthService, 'limits'>,
  allowance: MessageAllowance,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send();
  } catch (cause) {
    await giveBackMessageAllowance(service, allowance);
    throw cause;
  }
}

/** Creates a code, and returns the sending of its message within the allowance that was taken for it. */
export async function prepareCode(
  service: Parameters<typeof sendCode>[0] & Pick<AuthService, 'codes' | 'limits' | 'now'>,
  transaction: Transaction,
  allowance: MessageAllowance,
  message: Omit<CodeMessage, 'secrets'>,
): Promise<() => Promise<void>> {
  const secrets = await putCode(service, transaction, message.pending);
  return () => sendWithin(service, allowance, () => sendCode(service, { ...message, secrets }));
}

/** A deferred send, not yet begun; null where there is nothing to send. */
export type Sending = (() => Promise<void>) | null;

/**
 * For responses that must not reveal, by content or by time, whether an address has an account.
 *
 * Errors of `decide`, which reads the database, are returned to the client. The send it returns runs while the response
 * waits for its fixed time, and continues in the background if it takes longer. A failed send is only logged: no later
 * response may reveal it either.
 *
 * Where `uniformResponseMs` is null, the response is sent when the send is over.
 */
export async function respondUniformly(
  { uniformResponseMs, log }: Pick<AuthService, 'uniformResponseMs' | 'log'>,
  decide: () => Promise<Sending>,
): Promise<void> {
  const moment = uniformResponseMs === null ? null : pause(uniformResponseMs);
  const send = await decide();
  const sent = send?.().catch((cause: unknown) => log.error({ err: cause }, 'A one-time code could not be sent.'));
  await (moment ?? sent);
}
