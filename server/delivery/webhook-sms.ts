import { createHash, createHmac, randomUUID } from 'node:crypto';
import { postToProvider, SmsNotTaken, type SmsSender } from './sms-sender.ts';

export interface WebhookOptions {
  readonly url: string;
  /** Signs each message, so that the receiver knows whom it comes from. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly patienceMs?: number;
}

/**
 * Posts each SMS as JSON, `{"to": "+15550100", "text": "…"}`, signed as Standard Webhooks has it
 * (https://www.standardwebhooks.com). Any 2xx answer means that the receiver has taken the message. One message has one
 * `webhook-id` whenever it is tried again, by which a receiver can tell what it has had already.
 */
export function createWebhookSms({ url, secret, now, patienceMs = 10_000 }: WebhookOptions): SmsSender {
  return {
    async sendSms({ to, text, key = randomUUID() }) {
      const body = JSON.stringify({ to, text });
      const id = `msg_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
      const timestamp = String(Math.floor(now() / 1000));
      const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
      const answer = await postToProvider({
        provider: 'The SMS webhook',
        url,
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        patienceMs,
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new SmsNotTaken(`The SMS webhook refused the message: status ${answer.status}.`);
    },
  };
}
