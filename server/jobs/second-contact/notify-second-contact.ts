import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { makeContactLink } from '#server/conversations/contact-links.ts';
import { mayBeTexted } from '#server/delivery/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob, sendSmsFromJob } from '../send-from-job.ts';
import { UNSEEN_MESSAGES } from '../unseen/unseen-messages.ts';

/** The payload of jobs queued by `internal.enqueue_contact_notice`. */
export const contactNoticePayload = v.object({
  contact_id: v.pipe(v.string(), v.uuid()),
  conversation_id: v.pipe(v.string(), v.uuid()),
});

type ContactNotice = v.InferOutput<typeof contactNoticePayload>;
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

/** How long messages stay unseen before a second contact is notified, in minutes. */
const UNSEEN_MINUTES = 60;

interface Unseen {
  readonly email: string | null;
  /** E.164 with the plus. */
  readonly phone: string | null;
  readonly owner_first_name: string | null;
  readonly item_name: string;
  readonly first_id: string;
  /** In how many seconds the first message has been unseen for long enough; at most 0 for now. */
  readonly due_in: number;
  /** In how many seconds the contact's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
}

/**
 * Notifies a second contact of the messages of a conversation that its owner has not seen for an hour, once until they
 * are seen: of items that are marked as lost, or of all if the owner chose that. Sends nothing where the owner has seen or
 * replied, the messages were deleted, the item was returned or given away, the conversation was muted or blocked, or the contact has
 * left.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function notifySecondContact(needs: Needs, job: ContactNotice): Promise<void> {
  const { sent, limits } = needs;
  const found = await readUnseen(needs, job);
  if (found === undefined) return;
  if (found.due_in > 0 || found.quiet_for > 0) return runIn(needs, job, Math.max(found.due_in, found.quiet_for));

  // It was accepted before a crash, which may have come before this was stored.
  const key = `contact:${job.contact_id}:${job.conversation_id}:${found.first_id}`;
  if (sent?.has(key) === true) return markNotified(needs, job);
  const counter = ['contact_notices_per_contact', job.contact_id] as const;
  if (!(await limits.take(...counter)).allowed) return;
  try {
    if (!(await send(needs, job, found, key))) return;
  } catch (error) {
    await limits.giveBack(...counter);
    throw error;
  }
  await markNotified(needs, job);
}

/** Returns whether there is a way to send it. */
async function send(
  needs: Needs,
  { contact_id: contactId, conversation_id: conversationId }: ContactNotice,
  { email, phone, owner_first_name: owner, item_name: itemName }: Unseen,
  key: string,
): Promise<boolean> {
  const { delivery, config, sent } = needs;
  const { productName: product, defaultLanguage } = config;
  const texts = letterTexts(defaultLanguage);
  const link = await makeContactLink(needs, { contactId, conversationId });
  if (email !== null) {
    const leaveLink = await makeContactLink(needs, { contactId, conversationId: null });
    const content = texts.secondContact.notice({ product, owner, itemName, link, leaveLink });
    await sendFromJob({ delivery }, { to: email, ...composeMail(content, product, defaultLanguage), key });
    return true;
  }
  if (phone === null || !delivery.hasSms || config.testPhoneNumbers.has(phone)) return false;
  if (!mayBeTexted(phone, config.smsCountries)) return false;
  await sendSmsFromJob({ delivery }, { to: phone, text: texts.sms.contactNotice({ product, owner, link }), key });
  sent?.add(key);
  return true;
}

async function readUnseen(
  { database }: Needs,
  { contact_id, conversation_id }: ContactNotice,
): Promise<Unseen | undefined> {
  const { rows } = await database.asService<Unseen>({
    name: 'unseen_for_second_contact',
    text: `select contact.email, contact.phone, internal.first_name(profile.full_name) as owner_first_name,
        item.item_name, unseen.first_id,
        ceil(extract(epoch from unseen.since + make_interval(mins => $3) - now()))::integer as due_in,
        coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          contact.quiet_from, contact.quiet_to, contact.time_zone, now()) - now())), 0)::integer as quiet_for
      from public.conversations as conversation
      join public.second_contacts as contact
        on contact.id = $2 and contact.owner_id = conversation.owner_id
          and contact.agreed_at is not null and contact.left_at is null
      join public.items as item on item.id = conversation.item_id and item.given_at is null
        and (contact.for_all or item.lost_at is not null)
      join auth.users as account on account.id = conversation.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = conversation.owner_id
      left join internal.contact_links as link
        on link.contact_id = contact.id and link.conversation_id = conversation.id
      join ${UNSEEN_MESSAGES} on true
      where conversation.id = $1 and conversation.returned_at is null and not internal.is_muted(conversation.id)
        and (link.notified_at is null or link.notified_at < unseen.since)`,
    values: [conversation_id, contact_id, UNSEEN_MINUTES],
  });
  return rows[0];
}

/** The finder reads from now on that another contact was notified. */
async function markNotified({ database }: Needs, { contact_id, conversation_id }: ContactNotice): Promise<void> {
  await database.asService({
    name: 'second_contact_notified',
    text: `with link as (
        update internal.contact_links set notified_at = now() where contact_id = $1 and conversation_id = $2
      )
      update public.conversations set contacted_at = now() where id = $2`,
    values: [contact_id, conversation_id],
  });
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
