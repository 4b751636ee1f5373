import { createHmac } from 'node:crypto';

interface SignedMessage {
  /** The receiver treats a second message with the same id as a repetition. */
  readonly id: string;
  /** Of this attempt, in Unix seconds. Receivers refuse an old one. */
  readonly timestamp: string;
  readonly body: string;
}

/**
 * Returns the headers of a JSON message that its receiver can authenticate, by HMAC-SHA256 (Standard Webhooks 1.0.0,
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export function signedHeaders({ id, timestamp, body }: SignedMessage, key: Buffer | string): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
