import { createHash, randomUUID } from 'node:crypto';
import { signedHeaders } from '#server/delivery/webhook/sign-webhook.ts';
import { NumberRefused, postToProvider, SmsNotTaken, type SmsSender } from './sms-sender.ts';

export interface WebhookOptions {
  readonly url: string;
  /** Signs each message, so that the receiver can authenticate it. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/** With this status the receiver says that no message reaches the number. */
const GONE = 410;

/**
 * Posts each SMS as JSON, `{"to": "+15550100", "text": "…"}`, signed according to Standard Webhooks
 * (https://www.standardwebhooks.com). Any 2xx status means that the receiver has accepted the message. Retries have the
 * same `webhook-id`, by which the receiver can recognize duplicates.
 */
export function createWebhookSms({ url, secret, now, timeoutMs = 10_000 }: WebhookOptions): SmsSender {
  return {
    async sendSms({ to, text, key = randomUUID() }) {
      const body = JSON.stringify({ to, text });
      const id = `msg_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
      const timestamp = String(Math.floor(now() / 1000));
      const response = await postToProvider({
        provider: 'The SMS webhook',
        url,
        headers: signedHeaders({ id, timestamp, body }, secret),
        body,
        timeoutMs,
      });
      await response.body?.cancel();
      const Refusal = response.status === GONE ? NumberRefused : SmsNotTaken;
      if (!response.ok) throw new Refusal(`The SMS webhook refused the message: status ${response.status}.`);
    },
  };
}
