import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { conversationsUrl } from '#server/conversations/conversations-url.ts';
import type { PushPayload, PushTarget } from '#server/delivery/push/web-push.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { WANTS_PUSH } from '../message-events.ts';
import { accountNotice, notifyReceiver, shownText } from './notify-receiver.ts';
import { type NoticedChange, noticedChange, type ReceiverNeeds, type ReceiverRow } from './receiver.ts';

/** The payload of jobs queued by `internal.enqueue_push`. */
export const pushPayload = v.object({
  subscription_id: v.pipe(v.string(), v.uuid()),
  /** Null for a change or a test. */
  message_id: v.nullable(v.pipe(v.string(), v.uuid())),
  change: noticedChange,
});

interface Subscription extends ReceiverRow, PushTarget {
  readonly server_key: string;
  readonly shows_text: boolean;
}

/** Sends one push to one browser: about a message, about a change of the account, or as a test. */
export async function sendPush(
  needs: ReceiverNeeds & Pick<Dependencies, 'push'>,
  { subscription_id: receiverId, message_id: messageId, change }: v.InferOutput<typeof pushPayload>,
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
        const payload =
          messageId === null ? await accountPayload(config, row, change) : await messagePayload(needs, row);
        const topic = topicOf(secrets, receiverId, row.conversation_id ?? change?.id ?? 'test');
        return needs.countNotice('push', push.send(row, { payload, topic }, signal));
      },
    },
    { receiverId, messageId, change },
  );
}

/**
 * A conversation has one push that waits at the push service, the latest; every change has one. The topic is not encrypted (RFC 8030, section
 * 5.4), so it tells neither the conversation nor that two browsers have the same one.
 */
function topicOf(secrets: ReceiverNeeds['secrets'], subscriptionId: string, subject: string): string {
  return createHmac('sha256', deriveKey(secrets.refreshTokenSecret, 'push topics'))
    .update(`${subscriptionId} ${subject}`)
    .digest('base64url')
    .slice(0, 32);
}

/** Of a change, or of a test. */
async function accountPayload(
  config: ReceiverNeeds['config'],
  { language: stored }: Subscription,
  change: NoticedChange | null,
): Promise<PushPayload> {
  const { language, texts: letters } = await ownerLetters(config, stored);
  const { tag: lang, direction: dir } = language;
  const { click: navigate, ...texts } = accountNotice(config, letters, change);
  return { web_push: 8030, notification: { ...texts, navigate, lang, dir, tag: change?.id ?? 'test', renotify: true } };
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
