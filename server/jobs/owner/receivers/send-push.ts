import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { conversationsUrl } from '#server/conversations/conversations-url.ts';
import type { PushPayload, PushTarget } from '#server/delivery/push/web-push.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { WANTS_PUSH } from '../message-events.ts';
import { notifyReceiver, shownText } from './notify-receiver.ts';
import type { ReceiverNeeds, ReceiverRow } from './receiver.ts';

/** The payload of jobs queued by `internal.enqueue_push`. */
export const pushPayload = v.object({
  subscription_id: v.pipe(v.string(), v.uuid()),
  /** Null for a test. */
  message_id: v.nullable(v.pipe(v.string(), v.uuid())),
});

interface Subscription extends ReceiverRow, PushTarget {
  readonly server_key: string;
  readonly shows_text: boolean;
}

/** Sends one push to one browser: about a message, or as a test. */
export async function sendPush(
  needs: ReceiverNeeds & Pick<Dependencies, 'push'>,
  { subscription_id: receiverId, message_id: messageId }: v.InferOutput<typeof pushPayload>,
): Promise<void> {
  const { push, config, secrets } = needs;
  if (push === null) return;
  await notifyReceiver<Subscription>(
    needs,
    {
      table: 'public.push_subscriptions',
      task: 'send_push',
      idName: 'subscription_id',
      sentName: 'push',
      called: 'A push service',
      columns: `receiver.endpoint, receiver.endpoint as url, receiver.p256dh, receiver.auth, receiver.server_key, receiver.shows_text,
        ${WANTS_PUSH} as is_wanted`,
      joins: `join auth.sessions as session
        on session.id = receiver.session_id and (session.not_after is null or session.not_after > now())`,
      waitsInQuietHours: 'true',
      async send(row, signal) {
        if (row.server_key !== push.publicKey) return { kind: 'ended', status: 0 };
        const payload = messageId === null ? await testPayload(config, row) : await messagePayload(needs, row);
        const topic = topicOf(secrets, receiverId, row.conversation_id);
        return needs.countNotice('push', push.send(row, { payload, topic }, signal));
      },
    },
    { receiverId, messageId },
  );
}

/**
 * A conversation has one push that waits at the push service, the latest. The topic is not encrypted (RFC 8030, section
 * 5.4), so it tells neither the conversation nor that two browsers have the same one.
 */
function topicOf(secrets: ReceiverNeeds['secrets'], subscriptionId: string, conversationId: string | null): string {
  return createHmac('sha256', deriveKey(secrets.refreshTokenSecret, 'push topics'))
    .update(`${subscriptionId} ${conversationId ?? 'test'}`)
    .digest('base64url')
    .slice(0, 32);
}

async function testPayload(config: ReceiverNeeds['config'], { language: stored }: Subscription): Promise<PushPayload> {
  const { productName: product, publicUrl } = config;
  const { language, texts: letters } = await ownerLetters(config, stored);
  const { tag: lang, direction: dir } = language;
  const texts = letters.push.test({ product });
  return {
    web_push: 8030,
    notification: { ...texts, navigate: `${publicUrl}/profile/notifications`, lang, dir, tag: 'test', renotify: true },
  };
}

async function messagePayload(needs: ReceiverNeeds, subscription: Subscription): Promise<PushPayload> {
  const { productName: product, publicUrl } = needs.config;
  const { shows_text, item_name, qr_id, item_id, is_first, conversation_id, unread } = subscription;
  const { language, texts: letters } = await ownerLetters(needs.config, subscription.language);
  const { tag: lang, direction: dir } = language;
  const texts = letters.push.message({
    product,
    itemName: item_name ?? '',
    isFirst: is_first === true,
    body: shows_text ? await shownText(language, subscription) : null,
  });
  return {
    web_push: 8030,
    notification: {
      ...texts,
      navigate: conversationsUrl(publicUrl, { qr_id, item_id }),
      lang,
      dir,
      tag: conversation_id ?? '',
      renotify: true,
    },
    app_badge: unread,
  };
}
