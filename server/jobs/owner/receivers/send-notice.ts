import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { conversationsUrl } from '#server/conversations/conversations-url.ts';
import type { OutboundRequest } from '#server/delivery/outbound/outbound-client.ts';
import { ntfyRequest } from '#server/delivery/webhook/ntfy.ts';
import { webhookRequest } from '#server/delivery/webhook/webhook.ts';
import { webhookKeyOf } from '#server/delivery/webhook/webhook-secret.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { includesMessage } from '../message-events.ts';
import { notifyReceiver, shownText } from './notify-receiver.ts';
import type { ReceiverNeeds, ReceiverOutcome, ReceiverRow } from './receiver.ts';

/** The payload of jobs queued by `internal.enqueue_notice`. */
export const noticePayload = v.object({
  address_id: v.pipe(v.string(), v.uuid()),
  /** Null for a test. */
  message_id: v.nullable(v.pipe(v.string(), v.uuid())),
});

interface Address extends ReceiverRow {
  readonly kind: 'webhook' | 'ntfy';
  readonly token: string | null;
  readonly shows_text: boolean;
}

type NoticeNeeds = ReceiverNeeds & Pick<Dependencies, 'outbound'>;

/** Tells one notice address of a message, or sends it a test. */
export async function sendNotice(
  needs: NoticeNeeds,
  { address_id: receiverId, message_id: messageId }: v.InferOutput<typeof noticePayload>,
): Promise<void> {
  await notifyReceiver<Address>(
    needs,
    {
      table: 'public.notice_addresses',
      task: 'send_notice',
      idName: 'address_id',
      sentName: 'notice',
      called: 'A notice address',
      columns: `receiver.kind, receiver.url, receiver.token, receiver.shows_text,
        ${includesMessage('receiver.gets')} as is_wanted`,
      joins: '',
      // A webhook is a program, which makes no sound.
      waitsInQuietHours: "receiver.kind = 'ntfy'",
      send: (address, signal) => needs.countNotice(address.kind, post(needs, address, messageId, signal)),
    },
    { receiverId, messageId },
  );
}

async function post(
  needs: NoticeNeeds,
  address: Address,
  messageId: string | null,
  signal: AbortSignal,
): Promise<ReceiverOutcome> {
  const request =
    address.kind === 'webhook' ? eventFor(needs, address, messageId) : await notificationFor(needs, address, messageId);
  const { status, retryAfter } = await needs.outbound.post(address.url, request, signal);
  if (status >= 200 && status < 300) return { kind: 'accepted', status };
  if (status === 404 || status === 410) return { kind: 'ended', status };
  return { kind: 'failed', status, retryAfter };
}

function eventFor(needs: NoticeNeeds, address: Address, messageId: string | null): OutboundRequest {
  const { id, shows_text, conversation_id, item_id, item_name, message_kind, body, place, sent_at } = address;
  const { moment, time_zone, desk } = address;
  const now = needs.now();
  const texts = { item_name, text: body, place, moment, time_zone, desk };
  return webhookRequest(
    messageId === null
      ? { id: `test_${randomUUID()}`, type: 'test', happenedAt: new Date(now), data: {} }
      : {
          id: `msg_${messageId}`,
          type: 'message.received',
          happenedAt: sent_at ?? new Date(now),
          data: {
            message_id: messageId,
            conversation_id,
            item_id,
            kind: message_kind,
            url: conversationsUrl(needs.config.publicUrl, address),
            ...(shows_text && texts),
          },
        },
    webhookKeyOf(needs, id),
    now,
  );
}

async function notificationFor(
  needs: NoticeNeeds,
  address: Address,
  messageId: string | null,
): Promise<OutboundRequest> {
  const { productName: product, publicUrl } = needs.config;
  const {
    language,
    texts: { push, ntfy },
  } = await ownerLetters(needs.config, address.language);
  const { token, shows_text, item_name, is_first } = address;
  if (messageId === null)
    return ntfyRequest({ ...push.test({ product }), click: `${publicUrl}/profile/notifications`, token });
  const texts = shows_text
    ? push.message({
        product,
        itemName: item_name ?? '',
        isFirst: is_first === true,
        body: await shownText(language, address),
      })
    : ntfy.message({ product });
  return ntfyRequest({ ...texts, click: conversationsUrl(publicUrl, address), token });
}
