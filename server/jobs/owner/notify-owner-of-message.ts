import * as v from 'valibot';
import { type MessageDetailsRow, toMessageDetails } from '#domain/contact/message-details.ts';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { DESK_COLUMNS, type DeskRow, toDesk } from '#domain/desks/desk.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { isolateSigns } from '#domain/isolate-name.ts';
import { hoursInWords } from '#domain/texts/desk-in-words.ts';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { messageInWords } from '#domain/texts/message-in-words.ts';
import { conversationsUrl } from '#server/conversations/conversations-url.ts';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import { PHRASE_FIELDS } from '#server/conversations/phrase-fields.ts';
import { makeAddressLinks } from '#server/delivery/email/address-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import { sendUninvited } from '#server/jobs/sending/send-uninvited.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import { loadLanguage } from '#server/languages/load-language.ts';
import { countUnprovedNotice, forgetUnprovedNotice } from './count-unproved-notice.ts';
import { deliverUnnoticed } from './deliver-unnoticed.ts';
import { scheduleDigest } from './message-digest.ts';
import { IS_UNWANTED_LATER, WANTS_EMAIL, WANTS_PUSH } from './message-events.ts';
import { IS_SETTLED } from './unseen/unseen-messages.ts';

/** The payload of jobs queued by `internal.enqueue_message_notice`. */
export const messageNoticePayload = v.object({ message_id: v.pipe(v.string(), v.uuid()) });

/**
 * How many messages a day (UTC) are mailed one by one per item; within a conversation with a reply, per conversation.
 */
const NOTICES_PER_DAY = 20;

interface Noticed extends MessageDetailsRow {
  readonly item_id: string;
  readonly conversation_id: string;
  /** How many messages of the same day and group came before, up to the cap. */
  readonly earlier: number;
  /** The owner's time zone (IANA), where they have quiet hours. */
  readonly owner_zone: string | null;
  readonly day: string;
  readonly body: string;
  readonly qr_id: string | null;
  readonly item_name: string;
  readonly owner_id: string;
  /** The owner's. */
  readonly language: string | null;
  readonly email: string | null;
  readonly is_proved: boolean;
  /** Whether the owner wants an email about it, or no browser of theirs gets a push, and it is not later. */
  readonly is_wanted: boolean;
  /** Muted or blocked since. */
  readonly is_muted: boolean;
  /** Seen, replied to, or returned since. */
  readonly is_settled: boolean;
  /** Whether the owner has already written in the conversation. */
  readonly owner_has_replied: boolean;
}

/** SQL: how many finders' messages of the same day came before, up to the cap. */
const earlier = (together: string) => `(
        select count(*)::integer from (
          select from public.messages as other
            where ${together} and other.sender = 'finder' and other.created_at >= message.day
              and (other.created_at, other.id) < (message.created_at, message.id)
            limit ${NOTICES_PER_DAY}
        ) as others
      )`;

/**
 * Mails an owner about one message. Sends nothing where the message is gone, was seen or replied to, its conversation is
 * muted, blocked, or returned, or its owner has no address. An owner who wants no email about it gets one while no
 * browser of theirs gets a push, unless it is a later message of a conversation.
 *
 * Beyond `NOTICES_PER_DAY` of an item, or the owner's limit for all items, messages of the day wait for a digest, so that
 * a flood does not fill the mailbox and no message is refused. An unproved address gets notices of a few
 * conversations, without user-written text, each with a link to prove it.
 * The message id is the delivery's key, so a job retried after a crash sends no second mail.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function notifyOwnerOfMessage(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'push' | 'config' | 'secrets' | 'limits' | 'now'>,
  messageId: string,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<Noticed>({
    name: 'message_to_notify_of',
    text: `with message as (
        select *, exists (
            select from public.messages as reply
              where reply.conversation_id = announced.conversation_id and reply.sender = 'owner'
                and reply.created_at < announced.created_at
          ) as owner_has_replied,
          date_trunc('day', created_at) as day, internal.is_muted(conversation_id) as is_muted
        from public.messages as announced where id = $1
      )
      select message.body, message.kind, message.place, message.latitude::float8, message.longitude::float8,
        message.location_exact, ${PHRASE_FIELDS}, message.desk_id, settings.time_zone as owner_zone, message.item_id, message.conversation_id, to_char(message.day, 'YYYY-MM-DD') as day,
        item.qr_id, item.item_name, message.owner_id,
        case when message.owner_has_replied then ${earlier('other.conversation_id = message.conversation_id')}
          else ${earlier('other.item_id = message.item_id')} end as earlier,
        coalesce(account.email, account.claimed_email) as email, account.email is not null as is_proved,
        message.owner_has_replied, message.is_muted, (select language from public.profiles where id = account.id) as language,
        ${IS_SETTLED} as is_settled,
        not ${IS_UNWANTED_LATER} and (${WANTS_EMAIL} or not ${WANTS_PUSH} or coalesce((
          select false from public.push_subscriptions as subscription
            join auth.sessions as session
              on session.id = subscription.session_id and (session.not_after is null or session.not_after > now())
            where subscription.user_id = message.owner_id and subscription.server_key = $2
              and subscription.ended_at is null and subscription.failures = 0
            limit 1
        ), true)) as is_wanted
      from message
      join public.items as item on item.id = message.item_id
      join auth.users as account on account.id = message.owner_id and account.deleted_at is null
      left join public.notice_settings as settings on settings.user_id = message.owner_id`,
    values: [messageId, needs.push?.publicKey ?? null],
  });
  const [message] = rows;
  if (message?.is_muted === true || message?.is_settled === true) {
    const { email, is_wanted, is_proved, earlier, item_id: itemId, day } = message;
    const isMailed = email !== null && is_wanted && config.hasMail;
    const digest = is_proved && earlier >= NOTICES_PER_DAY ? { itemId, day } : null;
    return deliverUnnoticed(database, { messageId, mail: isMailed ? { isProved: is_proved, digest } : null });
  }
  if (message === undefined || message.email === null || !message.is_wanted || !config.hasMail) return;
  const { owner_id: userId, email: address } = message;

  const { productName, publicUrl } = config;
  const { language, texts } = await ownerLetters(config, message.language);
  const send = async (content: MailContent) => {
    await sendFromJob(needs, {
      to: address,
      ...composeMail(content, productName, language),
      key: `message:${messageId}`,
    });
    await markMessageDelivered(database, messageId);
  };
  if (message.is_proved) {
    const { item_id: itemId, day } = message;
    if (message.earlier >= NOTICES_PER_DAY) return scheduleDigest(database, itemId, day);
    // Conversations with a reply have a limit of their own, so that strangers cannot use it up.
    const counter = [
      'message_notices_per_receiver',
      message.owner_has_replied ? `${userId} answered` : userId,
    ] as const;
    if (!(await needs.limits.take(...counter)).allowed) return scheduleDigest(database, itemId, day);
    const { item_name: itemName, owner_has_replied: hasReply } = message;
    const details = toMessageDetails(message);
    const words = await loadLanguage(language.tag);
    const body = messageInWords({ ...details, body: message.body }, words, message.owner_zone ?? undefined);
    const link = conversationsUrl(publicUrl, message);
    try {
      const desk = await describeDesk(needs, message, words);
      await send(
        texts.messageNotice({ productName, itemName, hasReply, body, location: details.location, desk, link }),
      );
    } catch (error) {
      await needs.limits.giveBack(...counter);
      throw error;
    }
    return;
  }
  const place = await countUnprovedNotice(database, { userId, conversationId: message.conversation_id, messageId });
  if (place === null || place > UNPROVED_NOTICES) return;
  const links = await makeAddressLinks(needs, { userId, address });
  const isLast = place === UNPROVED_NOTICES;
  const content = texts.unprovedNotice({ productName, link: `${publicUrl}/dashboard`, ...links, isLast });
  const isSent = await sendUninvited(needs, {
    to: address,
    content,
    language,
    key: `message:${messageId}`,
  });
  if (isSent) await markMessageDelivered(database, messageId);
  else await forgetUnprovedNotice(database, messageId);
}

/**
 * Returns when the desk is open at which the finder handed the item in, and its number; none where the message names no desk,
 * or one that was removed.
 * The return code to show there is on the item's page alone, behind a recent proof.
 */
async function describeDesk(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  { desk_id: deskId = null }: Noticed,
  { tag, words }: FinderLanguage,
): Promise<readonly string[]> {
  if (deskId === null) return [];
  const { rows } = await database.asService<DeskRow>({
    name: 'desk_of_message',
    text: `select ${DESK_COLUMNS} from public.desks where id = $1 and removed_at is null`,
    values: [deskId],
  });
  const [desk] = rows;
  if (desk === undefined) return [];
  const { hours, phone } = toDesk(desk);
  const lines = hoursInWords(hours, tag, words.desks, now());
  return phone === null ? lines : [...lines, isolateSigns(phone)];
}
