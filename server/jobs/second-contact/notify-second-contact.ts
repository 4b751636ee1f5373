import * as v from 'valibot';
import { makeContactLink } from '#server/conversations/contact-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { waitForEarlierStep } from '#server/jobs/owner/unseen/earlier-step.ts';
import { FIRST_NOTICED } from '#server/jobs/owner/unseen/unseen-messages.ts';
import { visitorLetters } from '#server/languages/letter-language.ts';
import { markContactNotified } from './mark-contact-notified.ts';
import { scheduleContactDigest } from './send-contact-digest.ts';
import { type ContactAddress, sendToContact } from './send-to-contact.ts';
import { AFTER_SMS_MINUTES, QUIET_FOR, UNSEEN_MINUTES, WAITING_FOR_CONTACT } from './waiting-for-contact.ts';

/** The payload of jobs queued by `internal.enqueue_contact_notice`. */
export const contactNoticePayload = v.object({
  contact_id: v.pipe(v.string(), v.uuid()),
  conversation_id: v.pipe(v.string(), v.uuid()),
});

type ContactNotice = v.InferOutput<typeof contactNoticePayload>;
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

interface Unseen extends ContactAddress {
  /** The contact's, else the owner's. */
  readonly language: string | null;
  readonly owner_first_name: string | null;
  readonly item_name: string;
  readonly has_reply: boolean;
  readonly first_id: string;
  /** In how many seconds the first message has been unseen for long enough; at most 0 for now. */
  readonly due_in: number;
  /** In how many seconds the contact's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
}

/**
 * Notifies a second contact of the messages of a conversation that its owner has not seen for an hour, once until they
 * are seen. Sends nothing where they no longer wait for the contact (`WAITING_FOR_CONTACT`).
 *
 * Beyond the contact's limit they wait for a digest. Conversations with a reply have a limit of their own, so that strangers
 * cannot use it up.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function notifySecondContact(needs: Needs, job: ContactNotice): Promise<void> {
  const { database, sent, limits } = needs;
  const { contact_id: contactId, conversation_id: conversationId } = job;
  const found = await readUnseen(needs, job);
  if (found === undefined) return;
  if (found.due_in > 0 || found.quiet_for > 0) return runIn(needs, job, Math.max(found.due_in, found.quiet_for));
  const wait = await waitForEarlierStep(database, {
    messageId: found.first_id,
    conversationId,
    way: found.email === null ? 'sms' : 'email',
  });
  if (wait > 0) return runIn(needs, job, wait);

  // It was accepted before a crash, which may have come before this was stored.
  const key = `contact:${contactId}:${conversationId}:${found.first_id}`;
  if (await sent.has(key)) return markContactNotified(database, contactId, [conversationId]);
  const counter = ['contact_notices_per_contact', found.has_reply ? `${contactId} replied` : contactId] as const;
  if (!(await limits.take(...counter)).allowed) return scheduleContactDigest(database, contactId);
  let isSent = false;
  try {
    isSent = await send(needs, job, found, key);
  } finally {
    if (!isSent) await limits.giveBack(...counter);
  }
  if (isSent) await markContactNotified(database, contactId, [conversationId]);
}

/** Returns whether there is a way to send it. */
async function send(
  needs: Needs,
  { contact_id: contactId, conversation_id: conversationId }: ContactNotice,
  unseen: Unseen,
  key: string,
): Promise<boolean> {
  const { owner_first_name: owner, item_name: itemName } = unseen;
  const { productName: product } = needs.config;
  const { language, texts } = await visitorLetters(needs.config, unseen.language);
  const link = await makeContactLink(needs, { contactId, conversationId });
  const leaveLink = await makeContactLink(needs, { contactId, conversationId: null });
  return sendToContact(needs, unseen, {
    purpose: 'notice',
    language,
    letter: texts.secondContact.notice({ product, owner, itemName, link, leaveLink }),
    text: texts.sms.contactNotice({ product, owner, link }),
    key,
  });
}

async function readUnseen(
  { database }: Needs,
  { contact_id, conversation_id }: ContactNotice,
): Promise<Unseen | undefined> {
  const { rows } = await database.asService<Unseen>({
    name: 'unseen_for_second_contact',
    text: `select contact.email, contact.phone, internal.first_name(profile.full_name) as owner_first_name,
        coalesce(contact.language, profile.language) as language, item.item_name, conversation.replied_at is not null as has_reply, unseen.first_id,
        ceil(extract(epoch from greatest(
          ${FIRST_NOTICED} + make_interval(mins => $3),
          case when conversation.texted_at >= unseen.since then conversation.texted_at + make_interval(mins => $4) end
        ) - now()))::integer as due_in,
        ${QUIET_FOR} as quiet_for
      from ${WAITING_FOR_CONTACT} and conversation.id = $1 and contact.id = $2`,
    values: [conversation_id, contact_id, UNSEEN_MINUTES, AFTER_SMS_MINUTES],
  });
  return rows[0];
}

/** Queues the notice again. The job that runs at present has lost its key to it and is done. */
async function runIn(
  { database }: Needs,
  { contact_id, conversation_id }: ContactNotice,
  seconds: number,
): Promise<void> {
  await database.asService({
    name: 'postpone_contact_notice',
    text: 'select internal.enqueue_contact_notice($1, $2, now() + make_interval(secs => $3))',
    values: [contact_id, conversation_id, seconds],
  });
}
