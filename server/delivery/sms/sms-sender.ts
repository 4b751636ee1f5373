import { setTimeout as pause } from 'node:timers/promises';
import type { Sms } from '#server/delivery/delivery.ts';

/** Sends SMS through a provider. */
export interface SmsSender {
  /** Resolves once the provider has accepted the message; throws SmsNotTaken otherwise. */
  sendSms(sms: Sms): Promise<void>;
}

/**
 * The provider did not accept a message. The error names the provider and its response, and neither content nor
 * recipient, because it is logged.
 */
export class SmsNotTaken extends Error {
  override name = 'SmsNotTaken';
}

/** The provider says for good that no message reaches the number. */
export class NumberRefused extends SmsNotTaken {
  override name = 'NumberRefused';
}

export interface ProviderRequest {
  /** For the log, such as Twilio. */
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Timeout of the response, in milliseconds. */
  readonly timeoutMs: number;
}

/** The user is waiting for the code, so the retry comes soon; a user without a code can request another. */
const SECOND_TRY_AFTER_MS = 500;
/** Statuses with which a provider rejects a message unread. */
const NOT_NOW = [429, 503];

/**
 * Posts a message to a provider and returns its response. Retries once where the provider certainly has not accepted
 * it: where the connection is refused, or the status says to try later. After a timeout that is unknown, and two
 * messages would be worse than none.
 */
export async function postToProvider(request: ProviderRequest): Promise<Response> {
  const first = await postOnce(request);
  // Not `instanceof Response`: the Node adapter replaces the global class.
  if (!(first instanceof SmsNotTaken || NOT_NOW.includes(first.status))) return first;
  await pause(SECOND_TRY_AFTER_MS);
  const second = await postOnce(request);
  if (second instanceof SmsNotTaken) throw second;
  return second;
}

async function postOnce({ provider, url, headers, body, timeoutMs }: ProviderRequest): Promise<Response | SmsNotTaken> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers,
      body,
      // The credentials must not follow a redirect to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    if (cause instanceof TypeError && isRefusedConnection(cause.cause)) {
      return new SmsNotTaken(`${provider} cannot be reached.`);
    }
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    throw new SmsNotTaken(
      `${provider} ${isLate ? 'did not respond in time' : 'closed the connection or redirects elsewhere'}.`,
    );
  }
}

function isRefusedConnection(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EHOSTUNREACH';
}
