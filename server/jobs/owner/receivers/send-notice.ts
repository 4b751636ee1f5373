import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { conversationsUrl } from '#server/conversations/conversations-url.ts';
import type { OutboundRequest } from '#server/delivery/outbound/outbound-client.ts';
import { ntfyRequest } from '#server/delivery/webhook/ntfy.ts';
import { type WebhookEvent, webhookRequest } from '#server/delivery/webhook/webhook.ts';
import { webhookKeyOf } from '#server/delivery/webhook/webhook-secret.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { includesMessage } from '../message-events.ts';
import { accountNotice, notifyReceiver, shownText } from './notify-receiver.ts';
import {
  noticedChange,
  type ReceiverJob,
  type ReceiverNeeds,
  type ReceiverOutcome,
  type ReceiverRow,
} from './receiver.ts';

/** The payload of jobs queued by `internal.enqueue_notice`. */
export const noticePayload = v.object({
  address_id: v.pipe(v.string(), v.uuid()),
  /** Null for a change or a test. */
  message_id: v.nullable(v.pipe(v.string(), v.uuid())),
  change: noticedChange,
});

interface Address extends ReceiverRow {
  readonly kind: 'webhook' | 'ntfy';
  readonly token: string | null;
  readonly shows_text: boolean;
}

type NoticeNeeds = ReceiverNeeds & Pick<Dependencies, 'outbound'>;

/** Tells one notice address of a message or of a change of the account, or sends it a test. */
export async function sendNotice(
  needs: NoticeNeeds,
  { address_id: receiverId, message_id: messageId, change }: v.InferOutput<typeof noticePayload>,
): Promise<void> {
  const job = { receiverId, messageId, change };
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
      send: (address, signal) => needs.countNotice(address.kind, post(needs, address, job, signal)),
    },
    job,
  );
}

async function post(
  needs: NoticeNeeds,
  address: Address,
  job: ReceiverJob,
  signal: AbortSignal,
): Promise<ReceiverOutcome> {
  const request =
    address.kind === 'webhook' ? eventFor(needs, address, job) : await notificationFor(needs, address, job);
  const { status, retryAfter } = await needs.outbound.post(address.url, request, signal);
  if (status >= 200 && status < 300) return { kind: 'accepted', status };
  if (status === 404 || status === 410) return { kind: 'ended', status };
  return { kind: 'failed', status, retryAfter };
}

function eventFor(needs: NoticeNeeds, address: Address, { messageId, change }: ReceiverJob): OutboundRequest {
  const { id, shows_text, conversation_id, item_id, item_name, message_kind, body, place, sent_at } = address;
  const { moment, time_zone, desk } = address;
  const now = needs.now();
  const texts = { item_name, text: body, place, moment, time_zone, desk };
  const eventOf = (): WebhookEvent => {
    if (change !== null) {
      const { id: changeId, kind, at } = change;
      return { id: `chg_${changeId}`, type: 'account.changed', happenedAt: new Date(at), data: { kind } };
    }
    if (messageId === null) return { id: `test_${randomUUID()}`, type: 'test', happenedAt: new Date(now), data: {} };
    return {
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
    };
  };
  return webhookRequest(eventOf(), webhookKeyOf(needs, id), now);
}

async function notificationFor(
  needs: NoticeNeeds,
  address: Address,
  { messageId, change }: ReceiverJob,
): Promise<OutboundRequest> {
  const { productName: product, publicUrl } = needs.config;
  const { language, texts: letters } = await ownerLetters(needs.config, address.language);
  const { token, shows_text, item_name, is_first } = address;
  if (messageId === null) return ntfyRequest({ ...accountNotice(needs.config, letters, change), token });
  const texts = shows_text
    ? letters.push.message({
        product,
        itemName: item_name ?? '',
        isFirst: is_first === true,
        body: await shownText(language, address),
      })
    : letters.ntfy.message({ product });
  return ntfyRequest({ ...texts, click: conversationsUrl(publicUrl, address), token });
}
