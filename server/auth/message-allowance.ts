import type { LimitName } from '#server/http/limits.ts';
import type { Counter } from '#server/http/rate-limits.ts';
import type { AuthService } from './auth-service.ts';
import { gapOf, refuseUnlessAllowed, takeOrRefuse } from './code-allowance.ts';
import { hasLivingCode, prolongLink } from './code-queries.ts';
import type { TokenType } from './one-time-code.ts';
import type { Destination } from './send-code.ts';
import { requireTextable, takeSmsAllowance } from './sms-allowance.ts';

/** A message that anybody may have asked for. */
export interface AskedMessage extends Destination {
  /** The e-mail address or number by which it was asked for. */
  readonly account: string;
  /** The account that it is for; null where there is none yet. */
  readonly userId: string | null;
  readonly tokenType: TokenType;
  /** Whether the account that it is for has proved the recipient. */
  readonly isProved: boolean;
  /** Where the account has signed in before on the device that asks: what the database keeps of that device. */
  readonly knownDevice?: Buffer | null;
  /** Whether its link is for the client with a proof key alone. */
  readonly isBound?: boolean;
  /** It carries neither a code nor a link, so nothing is lost where it does not go out. */
  readonly isNotice?: boolean;
}

/** What was counted for a message. */
export type MessageAllowance = readonly Counter<LimitName>[];

type Service = Pick<AuthService, 'limits' | 'alone' | 'config' | 'log' | 'now'>;

/**
 * Counts a message that anybody may have asked for. Of several ways it takes the first that is open, and says what was
 * counted; null where no message goes out now.
 *
 * These counts can be used up by strangers, so they never keep anybody out, and the client is answered as if a message had
 * been sent. Where one went to the recipient a moment ago, that one is on its way. While another count holds a mail back,
 * the link in the mail before is good for as long as a new one would be; where there is no such link the mail goes out all
 * the same. While one holds an SMS back, the code in the SMS before is good; where there is none, the message goes the next
 * way.
 */
export async function takeMessageAllowance<Way extends AskedMessage>(
  service: Service,
  ...ways: readonly Way[]
): Promise<{ readonly way: Way; readonly allowance: MessageAllowance } | null> {
  for (const way of ways) {
    const gap = gapsOf(way);
    if ((await takeAll(service, gap)) === null) {
      await isOnItsWay(service, way);
      return null;
    }
    const counted = await count(service, way);
    if (counted !== null) return { way, allowance: [...gap, ...counted] };
    if (way.isNotice || (await isOnItsWay(service, way))) return null;
    if (way.channel === 'email') return { way, allowance: gap };
  }
  return null;
}

/** Whether an earlier message still does what a new one would. A link in it is good for longer from now on. */
async function isOnItsWay(service: Service, message: AskedMessage): Promise<boolean> {
  const hasLink = message.channel === 'email' || message.tokenType === 'recovery';
  return hasLink ? prolongLink(service, message) : hasLivingCode(service, message);
}

function gapsOf({ account, channel, recipient, tokenType, knownDevice = null }: AskedMessage): MessageAllowance {
  return knownDevice === null ? [[gapOf(channel), `${account} ${tokenType} ${recipient}`]] : [];
}

async function count(service: Service, message: AskedMessage): Promise<MessageAllowance | null> {
  const { channel, recipient: number, isProved } = message;
  const taken = await takeAll(service, countersOf(message));
  if (taken === null || channel === 'email') return taken;
  if ((await takeSmsAllowance(service, { number, isProved })).allowed) return taken;
  await giveBackMessageAllowance(service, taken);
  return null;
}

function countersOf(message: AskedMessage): MessageAllowance {
  const { account, recipient, tokenType, isProved, knownDevice = null } = message;
  if (knownDevice !== null) return [['codes_per_known_device', `${account} ${knownDevice.toString('hex')}`]];
  return [
    ['codes_per_account', `${account} ${tokenType}`],
    ...(isProved ? [] : ([['codes_per_recipient', recipient]] as const)),
  ];
}

/** Takes one of each, or none: null. */
async function takeAll(service: Service, counters: MessageAllowance): Promise<MessageAllowance | null> {
  for (const [at, [name, key]] of counters.entries()) {
    if ((await service.limits.take(name, key)).allowed) continue;
    await giveBackMessageAllowance(service, counters.slice(0, at));
    return null;
  }
  return counters;
}

/**
 * Counts a message that somebody signed in asked for, beside the counts of their account: its recipient may be anybody.
 * Throws `phoneNotTexted` or `tooManyRequests`.
 */
export async function requireRecipientAllowance(
  service: Service,
  { channel, recipient, isProved }: Destination & Pick<AskedMessage, 'isProved'>,
): Promise<void> {
  if (channel === 'sms') requireTextable(service, recipient);
  // A count of its own: strangers who register the address cannot use it up.
  if (!isProved) await takeOrRefuse(service, 'codes_per_recipient', `signed in ${recipient}`);
  if (channel === 'sms') refuseUnlessAllowed(await takeSmsAllowance(service, { number: recipient, isProved }));
}

/** After a message was not sent. What it would have cost stays counted. */
export async function giveBackMessageAllowance(
  { limits }: Pick<AuthService, 'limits'>,
  allowance: MessageAllowance,
): Promise<void> {
  await Promise.all(allowance.map(([name, key]) => limits.giveBack(name, key)));
}

/** Sends within an allowance, which is given back where that fails. Throws what the sending throws. */
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
