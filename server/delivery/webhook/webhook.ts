import type { OutboundRequest } from '#server/delivery/outbound/outbound-client.ts';
import { signedHeaders } from './sign-webhook.ts';

/** What a webhook is told. The receiver treats a second event with the same id as a repetition. */
export interface WebhookEvent {
  readonly id: string;
  /** What has happened, such as `message.received`. */
  readonly type: string;
  readonly happenedAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the request that tells a webhook of an event, signed (`signedHeaders`).
 *
 * @param now the time of this attempt, in milliseconds since the epoch. Receivers refuse an old one.
 */
export function webhookRequest(
  { id, type, happenedAt, data }: WebhookEvent,
  key: Buffer,
  now: number,
): OutboundRequest {
  const timestamp = String(Math.floor(now / 1_000));
  const body = JSON.stringify({ type, timestamp: happenedAt.toISOString(), data });
  return { headers: signedHeaders({ id, timestamp, body }, key), body };
}
