import { setTimeout as pause } from 'node:timers/promises';
import type { Sms } from './delivery.ts';

/** A way out for SMS. */
export interface SmsSender {
  /** Resolves once the provider has taken the message; throws SmsNotTaken otherwise. */
  sendSms(sms: Sms): Promise<void>;
}

/**
 * A message that the provider did not take. Its words name the provider and what it answered, and nothing of the
 * message or of whom it is for: they are logged.
 */
export class SmsNotTaken extends Error {
  override name = 'SmsNotTaken';
}

export interface ProviderRequest {
  /** For the log, such as Twilio. */
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Longest wait for the answer, in milliseconds. */
  readonly patienceMs: number;
}

/** Somebody waits for the code, so the second try comes soon; one who was not served asks again. */
const SECOND_TRY_AFTER_MS = 500;
/** Said by a provider that has not looked at the message. */
const NOT_NOW = [429, 503];

/**
 * Posts a message to a provider, whose answer it returns. It is tried a second time where the provider certainly has
 * not taken it: where nothing listens, and where it says "not now". After a timeout nobody knows, and two messages
 * would be worse than none.
 */
export async function postToProvider(request: ProviderRequest): Promise<Response> {
  const first = await postOnce(request);
  // Never by `instanceof Response`: the adapter that serves puts a class of its own in that one's place.
  if (!(first instanceof SmsNotTaken || NOT_NOW.includes(first.status))) return first;
  await pause(SECOND_TRY_AFTER_MS);
  const second = await postOnce(request);
  if (second instanceof SmsNotTaken) throw second;
  return second;
}

async function postOnce({
  provider,
  url,
  headers,
  body,
  patienceMs,
}: ProviderRequest): Promise<Response | SmsNotTaken> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers,
      body,
      // The credentials are for this address and for no other.
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
  } catch (cause) {
    if (cause instanceof TypeError && isRefusedConnection(cause.cause)) {
      return new SmsNotTaken(`${provider} cannot be reached.`);
    }
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    throw new SmsNotTaken(`${provider} ${isLate ? 'did not answer in time' : 'broke off, or leads elsewhere'}.`);
  }
}

function isRefusedConnection(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EHOSTUNREACH';
}
