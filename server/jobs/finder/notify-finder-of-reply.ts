import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { finderMail } from '#domain/texts/letters/finder-mail.ts';
import { finderLinks } from '#server/conversations/finder-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import { loadLanguage } from '#server/languages/load-language.ts';

/** The payload of jobs queued by `internal.enqueue_reply_notice`. */
export const replyNoticePayload = v.object({ conversation_id: v.pipe(v.string(), v.uuid()) });

type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

interface Awaiting {
  readonly id: string;
  readonly address: string;
  readonly language: string;
  readonly reply_id: string;
}

/**
 * Mails a finder, at the proved address, that there are replies: once until the finder has looked at the conversation.
 * Sends nothing where the finder has looked, the address or the conversation is gone, or the sticker's code does not lead
 * to the item any more, so that the finder could not read it.
 *
 * @throws an error without the address: it is stored with the job and logged. Also while the conversation's limit is used
 * up, so that the job is run again later.
 */
export async function notifyFinderOfReply(
  needs: Needs,
  { conversation_id: conversationId }: v.InferOutput<typeof replyNoticePayload>,
): Promise<void> {
  const awaiting = await readAwaiting(needs, conversationId);
  if (awaiting === undefined) return;
  const { id, address, language: tag, reply_id: replyId } = awaiting;
  // It was accepted before a crash, which may have come before this was stored.
  const key = `reply:${id}:${replyId}`;
  if (await needs.sent.has(key)) return markNotified(needs, id, replyId);
  const counter = ['reply_emails_per_conversation', conversationId] as const;
  if (!(await needs.limits.take(...counter)).allowed) {
    throw new Error('The limit of emails about replies of the conversation is used up.');
  }
  const { linkFor } = finderLinks(needs);
  const stopUrl = linkFor('stop', id);
  const language = await loadLanguage(tag);
  const content = finderMail(language.words.letters).reply({ openUrl: linkFor('open', id), stopUrl });
  try {
    await sendFromJob(needs, {
      to: address,
      ...composeMail(content, needs.config.productName, language),
      key,
      unsubscribeUrl: stopUrl,
    });
  } catch (error) {
    await needs.limits.giveBack(...counter);
    throw error;
  }
  await markNotified(needs, id, replyId);
}

async function readAwaiting({ database }: Needs, conversationId: string): Promise<Awaiting | undefined> {
  const { rows } = await database.asService<Awaiting>({
    name: 'finder_to_notify',
    text: `select address.id, address.address, address.language, address.reply_id
             from internal.finder_addresses as address
             join public.conversations as conversation on conversation.id = address.conversation_id
             join public.items as item on item.id = conversation.item_id
             where address.conversation_id = $1 and address.proved_at is not null and address.expires_at >= now()
               and address.reply_id is not null and address.notified_at is null
               and internal.own_code_of_item(address.qr_id) = item.qr_id and not internal.is_void(address.qr_id)`,
    values: [conversationId],
  });
  return rows[0];
}

/** Nothing, where the finder has looked meanwhile. */
async function markNotified({ database }: Needs, id: string, replyId: string): Promise<void> {
  await database.asService({
    name: 'mark_finder_notified',
    text: 'update internal.finder_addresses set notified_at = now() where id = $1 and reply_id = $2',
    values: [id, replyId],
  });
}
