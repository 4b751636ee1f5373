import { buildPushPayload } from '@block65/webcrypto-web-push';
import type { OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { isPublicPushKey, publicPushKey } from './push-key.ts';

/** A day: what has not arrived by then has been read elsewhere, or will be at the next visit. */
const TTL_SECONDS = 86_400;

/** Where a browser receives pushes, as it gave it. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

interface Push {
  readonly payload: PushPayload;
  /** At most 32 URL-safe characters. A later push replaces one with the same topic that has not arrived yet. */
  readonly topic: string;
}

/**
 * A declarative push (https://www.w3.org/TR/push-api/#declarative-push-message). Browsers without this form pass it to
 * the service worker, which reads the same fields.
 */
export interface PushPayload {
  readonly web_push: 8030;
  readonly notification: {
    readonly title: string;
    readonly body: string;
    /** The URL that a tap opens. */
    readonly navigate: string;
    readonly lang: string;
    readonly dir: string;
    /** A notification with the same tag is replaced. */
    readonly tag: string;
    readonly renotify: boolean;
  };
  /** The number at the app's icon. */
  readonly app_badge?: number;
}

/** What became of a push. `ended`: the subscription no longer exists. */
type PushResult =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'failed'; readonly status: number; readonly retryAfter: string | null };

/** Sends pushes to browsers. */
export interface WebPush {
  /** The key that browsers subscribe with. */
  readonly publicKey: string;
  /** Throws OutboundFailure where the push service gives no response, or the signal ends before it. */
  send(target: PushTarget, push: Push, signal?: AbortSignal): Promise<PushResult>;
  /** Whether pushes may be sent to a target, and encrypted for it. */
  accepts(target: Pick<PushTarget, 'endpoint' | 'p256dh'>): boolean;
}

export interface WebPushOptions {
  readonly outbound: OutboundClient;
  readonly privateKey: string;
  /** Where the operator can be reached, for the push service: an https or mailto URL. */
  readonly subject: string;
}

/**
 * Sends pushes through the push services that browsers name (RFC 8030), encrypted for the browser (RFC 8291) and signed
 * with the server's key (RFC 8292).
 */
export function createWebPush({ outbound, privateKey, subject }: WebPushOptions): WebPush {
  const publicKey = publicPushKey(privateKey);
  return {
    publicKey,
    accepts: ({ endpoint, p256dh }) => outbound.accepts(endpoint) && isPublicPushKey(p256dh),
    async send({ endpoint, p256dh, auth }, { payload, topic }, signal) {
      const built = await buildPushPayload(
        { data: JSON.stringify(payload), options: { ttl: TTL_SECONDS, urgency: 'high', topic } },
        { endpoint, expirationTime: null, keys: { p256dh, auth } },
        { subject, publicKey, privateKey },
      );
      const { status, retryAfter } = await outbound.post(endpoint, built, signal);
      if (status >= 200 && status < 300) return { kind: 'accepted', status };
      if (status === 404 || status === 410) return { kind: 'ended', status };
      return { kind: 'failed', status, retryAfter };
    },
  };
}
