import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import type { OwnerPhrase } from '#domain/contact/phrases.ts';

/** What an owner says without typing, with its fields. */
export interface ReplyPhrase {
  readonly kind: OwnerPhrase;
  readonly place?: string;
  /** ISO 8601. */
  readonly moment?: string;
  readonly time_zone?: string;
  readonly amount?: number;
  readonly currency?: string;
}

/** A reply to send. Its id makes retries safe. */
export interface Reply {
  readonly id: string;
  readonly conversationId: string;
  /** Empty for a phrase. */
  readonly body: string;
  readonly phrase?: ReplyPhrase | undefined;
}

/**
 * The result of sending. `unreachable` means that it must be retried: no response arrived, or the limit allows it only
 * later.
 */
export type ReplyOutcome = 'sent' | 'refused' | 'unreachable';

/** Sends the owner's reply to the finder of the conversation. */
export async function sendReply(
  client: DataClient,
  { id, conversationId, body, phrase }: Reply,
): Promise<ReplyOutcome> {
  const { error, status } = await client.rpc('send_reply', {
    conversation_id_param: conversationId,
    body_param: body,
    message_id_param: id,
    language_param: document.documentElement.lang,
    ...(phrase && Object.fromEntries(Object.entries(phrase).map(([name, value]) => [`${name}_param`, value]))),
  });
  if (!error) return 'sent';
  // 429: too many at the moment; a later attempt is accepted.
  return isUnreachable(status) || status === 429 ? 'unreachable' : 'refused';
}
