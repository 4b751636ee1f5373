import * as v from 'valibot';
import { makeContactLink } from '#server/conversations/contact-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { visitorLetters } from '#server/languages/letter-language.ts';
import type { Database } from '#server/postgres/database.ts';
import { markContactNotified } from './mark-contact-notified.ts';
import { type ContactAddress, sendToContact } from './send-to-contact.ts';
import { QUIET_FOR, UNSEEN_MINUTES, WAITING_FOR_CONTACT } from './waiting-for-contact.ts';

/** The payload of jobs queued by `scheduleContactDigest`. */
export const contactDigestPayload = v.object({ contact_id: v.pipe(v.string(), v.uuid()) });

type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

/** How long a digest waits for further messages, in seconds. */
const GATHERED_SECONDS = 3_600;
/** How long it lets the notices go first that waited for the end of quiet hours, in seconds. */
const BEHIND_NOTICES_SECONDS = 900;
const DAY_SECONDS = 86_400;
/** How many conversations an email links to. An SMS has space for one. */
const MOST_LINKS = 20;

interface Waiting {
  readonly conversation_id: string;
  readonly item_name: string;
  readonly first_id: string;
  /** How many messages are unseen. */
  readonly count: number;
  /** The same of all conversations, also of those beyond `MOST_LINKS`. */
  readonly total: number;
}

interface Contact extends ContactAddress {
  /** Their own, else the owner's. */
  readonly language: string | null;
  readonly owner_first_name: string | null;
  /** In how many seconds the contact's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
}

/** Schedules one digest for a second contact whose notices of the day are used up, however often it is called. */
export async function scheduleContactDigest(
  database: Pick<Database, 'asOwner'>,
  contactId: string,
  seconds = GATHERED_SECONDS,
): Promise<void> {
  await database.asOwner({
    name: 'schedule_contact_digest',
    text: `select graphile_worker.add_job('send_contact_digest' || internal.way_of_contact(id), json_build_object('contact_id', id),
        job_key := 'send_contact_digest:' || id, job_key_mode := 'preserve_run_at', max_attempts := 13,
        run_at := now() + make_interval(secs => $2))
      from public.second_contacts where id = $1`,
    values: [contactId, seconds],
  });
}

/**
 * Sends a second contact the messages that wait for them and have no notice of their own, at most once a day and not in
 * their quiet hours. An email links to the conversations: those with a reply first, then one of each item in turn, so
 * that a flood about one does not hide the others. Those that find no space follow a day later. An SMS links to one and counts
 * the rest.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendContactDigest(
  needs: Needs,
  { contact_id: contactId }: v.InferOutput<typeof contactDigestPayload>,
): Promise<void> {
  const { database, sent, limits } = needs;
  const contact = await readContact(needs, contactId);
  if (contact === undefined) return;
  if (contact.quiet_for > 0) {
    return scheduleContactDigest(database, contactId, contact.quiet_for + BEHIND_NOTICES_SECONDS);
  }
  const waiting = await readWaiting(needs, contactId, contact.email === null ? 1 : MOST_LINKS);
  const [first] = waiting;
  if (first === undefined) return;
  const ids = waiting.map(({ conversation_id }) => conversation_id);
  // It was accepted before a crash, which may have come before this was stored.
  const key = `contact-digest:${contactId}:${first.first_id}`;
  if (await sent.has(key)) return markContactNotified(database, contactId, ids);
  const counter = ['contact_digests_per_contact', contactId] as const;
  const verdict = await limits.take(...counter);
  if (!verdict.allowed) return scheduleContactDigest(database, contactId, verdict.retryAfterSeconds);
  let isSent = false;
  try {
    isSent = await send(needs, { contactId, contact, waiting, key });
  } finally {
    if (!isSent) await limits.giveBack(...counter);
  }
  if (!isSent) return;
  await markContactNotified(database, contactId, ids);
  const rest = first.total - sumOf(waiting);
  if (rest > 0 && contact.email !== null) await scheduleContactDigest(database, contactId, DAY_SECONDS);
}

interface Digest {
  readonly contactId: string;
  readonly contact: Contact;
  readonly waiting: readonly Waiting[];
  readonly key: string;
}

/** Returns whether there is a way to send it. */
async function send(needs: Needs, { contactId, contact, waiting, key }: Digest): Promise<boolean> {
  const { productName: product } = needs.config;
  const { language, texts } = await visitorLetters(needs.config, contact.language);
  const links: { itemName: string; count: number; link: string }[] = [];
  for (const { conversation_id: conversationId, item_name: itemName, count } of waiting) {
    links.push({ itemName, count, link: await makeContactLink(needs, { contactId, conversationId }) });
  }
  const leaveLink = await makeContactLink(needs, { contactId, conversationId: null });
  const owner = contact.owner_first_name;
  const count = waiting[0]?.total ?? 0;
  return sendToContact(needs, contact, {
    purpose: 'notice',
    language,
    letter: texts.secondContact.digest({ owner, count, links, rest: count - sumOf(waiting), leaveLink }),
    text: texts.sms.contactDigest({ product, owner, count, link: links[0]?.link ?? leaveLink }),
    key,
  });
}

function sumOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
}

async function readContact({ database }: Needs, contactId: string): Promise<Contact | undefined> {
  const { rows } = await database.asService<Contact>({
    name: 'contact_of_digest',
    text: `select contact.email, contact.phone, internal.first_name(profile.full_name) as owner_first_name,
        coalesce(contact.language, profile.language) as language, ${QUIET_FOR} as quiet_for
      from public.second_contacts as contact
      left join public.profiles as profile on profile.id = contact.owner_id
      where contact.id = $1 and contact.agreed_at is not null and contact.left_at is null`,
    values: [contactId],
  });
  return rows[0];
}

/** Reads the job queue too: a conversation whose own notice is still to come is left out. */
async function readWaiting({ database }: Needs, contactId: string, most: number): Promise<Waiting[]> {
  const { rows } = await database.asOwner<Waiting>({
    name: 'messages_for_contact_digest',
    text: `select conversation.id as conversation_id, item.item_name, unseen.first_id, unseen.count,
        (sum(unseen.count) over ())::integer as total
      from ${WAITING_FOR_CONTACT} and contact.id = $1 and unseen.since <= now() - make_interval(mins => $2)
        and not exists (
          select from graphile_worker.jobs as job
            where job.key = 'notify_second_contact:' || contact.id || ':' || conversation.id
              and (job.attempts < job.max_attempts or job.locked_at is not null)
        )
      order by conversation.replied_at is null,
        row_number() over (partition by item.id, conversation.replied_at is null order by unseen.since), unseen.since
      limit $3`,
    values: [contactId, UNSEEN_MINUTES, most],
  });
  return rows;
}
