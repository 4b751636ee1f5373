import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import { mayBeTexted } from '#server/delivery/sms/may-be-texted.ts';
import { SmsNotTaken } from '#server/delivery/sms/sms-sender.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { scheduleDigest } from '#server/jobs/owner/message-digest.ts';
import { JobTakenOver } from '#server/jobs/queue/own-job.ts';
import { sendFromJob, sendSmsFromJob } from '#server/jobs/sending/send-from-job.ts';
import { type OwnerLetters, ownerLetters } from '#server/languages/letter-language.ts';
import { type LimitName, smsBudget } from '#server/limits/limits.ts';
import { type Counter, takeAll } from '#server/limits/rate-limits.ts';
import { includesMessage } from '../message-events.ts';
import { waitForEarlierStep } from './earlier-step.ts';
import { FIRST_NOTICED, UNSEEN_MESSAGES } from './unseen-messages.ts';

/** The payload of jobs queued by `internal.enqueue_unseen_notice`. */
export const unseenNoticePayload = v.object({
  step: v.picklist(['sms', 'reminder']),
  conversation_id: v.pipe(v.string(), v.uuid()),
});

type UnseenNotice = v.InferOutput<typeof unseenNoticePayload>;
type Step = UnseenNotice['step'];
type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'limits'>;

/** How long messages stay unseen after their first notice before the step, in minutes, and the column that says when it was last taken. */
const STEPS = {
  sms: { minutes: 15, takenAt: 'texted_at' },
  reminder: { minutes: 24 * 60, takenAt: 'reminded_at' },
} as const satisfies Record<Step, { readonly minutes: number; readonly takenAt: string }>;

/** A conversation with messages that its owner has neither seen nor replied to. */
interface Unseen {
  readonly owner_id: string;
  readonly item_id: string;
  readonly qr_id: string;
  readonly item_name: string;
  readonly has_reply: boolean;
  readonly count: number;
  readonly first_id: string;
  readonly latest_id: string;
  /** The day (UTC) of the first one. */
  readonly day: string;
  /** In how many seconds the first one has been unseen for long enough; at most 0 for now. */
  readonly due_in: number;
  /** In how many seconds the owner's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
  readonly email: string | null;
  /** E.164 without the plus. */
  readonly phone: string | null;
  readonly is_wanted: boolean;
  /** The owner's. */
  readonly language: string | null;
}

/**
 * Takes one step for the messages of a conversation that are still unseen: an SMS or a reminder. Each is sent once until
 * they are seen. Sends nothing where they were seen, replied to, or deleted, the item was returned or given away, the
 * conversation was muted or blocked, or the owner does not want it.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function notifyOfUnseen(needs: Needs, job: UnseenNotice): Promise<void> {
  const found = await readUnseen(needs, job);
  if (found === undefined || !found.is_wanted) return;
  const letters = await ownerLetters(needs.config, found.language);
  const way = job.step === 'sms' ? smsTo(needs, found, letters) : emailTo(needs, found, letters);
  if (way === null) return;
  // An earlier message was seen, and this one came later.
  if (found.due_in > 0) return runIn(needs, job, found.due_in);
  if (job.step === 'sms' && found.quiet_for > 0) return runIn(needs, job, found.quiet_for);
  const wait = await waitForEarlierStep(needs.database, {
    messageId: found.first_id,
    conversationId: job.step === 'sms' ? null : job.conversation_id,
    way: job.step === 'sms' ? 'sms' : 'email',
  });
  if (wait > 0) return runIn(needs, job, wait);

  // It was accepted before a crash, which may have come before this was stored.
  const key = `${job.step}:${job.conversation_id}:${found.first_id}`;
  if (await needs.sent.has(key)) return markTaken(needs, job, found.latest_id);
  const { retryAfterSeconds, giveBack } = await takeAll(needs.limits, countersOf(job.step, found));
  if (retryAfterSeconds !== null) {
    await scheduleDigest(needs.database, found.item_id, found.day);
    return markTaken(needs, job, null);
  }
  try {
    await way(key);
  } catch (error) {
    if (job.step !== 'sms' || error instanceof SmsNotTaken || error instanceof JobTakenOver) {
      await giveBack();
      throw error;
    }
    // The provider may have sent it. It is tried once more: two are better than none, and worse than one.
    const triedBefore = `${key}:tried`;
    if (!(await needs.sent.has(triedBefore))) {
      await needs.sent.add(triedBefore);
      throw error;
    }
  }
  await markTaken(needs, job, found.latest_id);
}

/** Sends under a key. */
type Way = (key: string) => Promise<void>;

/** SQL: whether an SMS tells of one of the `unseen` messages of `conversation`. */
const WANTS_SMS = `coalesce(settings.sms, false) and exists (
          select from public.messages as message
            where message.conversation_id = conversation.id and message.sender = 'finder' and message.read_at is null
              and message.created_at >= unseen.since and ${includesMessage('settings.sms')}
        )`;

/** Returns null where the owner has no confirmed number, or the operator sends none to it. */
function smsTo({ delivery, sent, config }: Needs, { phone }: Unseen, { texts }: OwnerLetters): Way | null {
  if (phone === null || !delivery.hasSms) return null;
  const to = `+${phone}`;
  if (config.testPhoneNumbers.has(to) || !mayBeTexted(to, config.smsCountries)) return null;
  const { productName: product, publicUrl } = config;
  const text = texts.sms.unseenMessage({ product, link: `${publicUrl}/dashboard` });
  return async (key) => {
    await sendSmsFromJob({ delivery }, { to, text, key });
    await sent.add(key);
  };
}

/** Returns null where the owner has no confirmed address, or the operator no mail server. */
function emailTo(
  { delivery, config }: Needs,
  { email, item_name, qr_id, count }: Unseen,
  { language, texts }: OwnerLetters,
): Way | null {
  if (email === null || !config.hasMail) return null;
  const { productName, publicUrl } = config;
  const link = `${publicUrl}/item/${encodeURIComponent(qr_id)}`;
  const content = texts.messageReminder({ productName, itemName: item_name, count, link });
  return (key) => sendFromJob({ delivery }, { to: email, ...composeMail(content, productName, language), key });
}

/** Conversations with a reply have limits of their own, so that strangers cannot use them up. */
function countersOf(step: Step, { owner_id, has_reply }: Unseen): readonly Counter<LimitName>[] {
  const key = has_reply ? `${owner_id} replied` : owner_id;
  const each = ['unseen_notices_per_owner', key] as const;
  return step === 'sms' ? [each, ['message_sms_per_owner', key], ...smsBudget({ isProved: true })] : [each];
}

async function readUnseen({ database }: Needs, { step, conversation_id }: UnseenNotice): Promise<Unseen | undefined> {
  const { minutes, takenAt } = STEPS[step];
  const { rows } = await database.asService<Unseen>({
    name: `unseen_for_${step}`,
    text: `select conversation.owner_id, conversation.item_id, item.qr_id, item.item_name,
        conversation.replied_at is not null as has_reply, unseen.count, unseen.first_id, unseen.latest_id,
        to_char(unseen.since at time zone 'UTC', 'YYYY-MM-DD') as day,
        ceil(extract(epoch from greatest(
          ${FIRST_NOTICED} + make_interval(mins => $2),
          case when $3 and conversation.texted_at >= unseen.since then conversation.texted_at + interval '1 hour' end
        ) - now()))::integer as due_in,
        coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          settings.quiet_from, settings.quiet_to, settings.time_zone, now()) - now())), 0)::integer as quiet_for,
        account.email, case when account.phone_confirmed_at is not null then account.phone end as phone,
        ${step === 'sms' ? WANTS_SMS : 'coalesce(settings.reminder, true)'} as is_wanted,
        (select language from public.profiles where id = account.id) as language
      from public.conversations as conversation
      join public.items as item on item.id = conversation.item_id and item.given_at is null
      join auth.users as account on account.id = conversation.owner_id and account.deleted_at is null
      left join public.notice_settings as settings on settings.user_id = conversation.owner_id
      join ${UNSEEN_MESSAGES} on true
      where conversation.id = $1 and conversation.returned_at is null
        and not internal.is_muted(conversation.id)
        and (conversation.${takenAt} is null or conversation.${takenAt} < unseen.since)`,
    values: [conversation_id, minutes, step === 'reminder'],
  });
  return rows[0];
}

/** Stores that the step was taken for all messages until now, and delivered up to a message. */
async function markTaken(
  { database }: Needs,
  { step, conversation_id }: UnseenNotice,
  latestId: string | null,
): Promise<void> {
  if (latestId !== null) await markMessageDelivered(database, latestId);
  await database.asService({
    name: `took_${step}`,
    text: `update public.conversations set ${STEPS[step].takenAt} = now() where id = $1`,
    values: [conversation_id],
  });
}

/** Queues the step again. The job that runs at present has lost its key to it and is done. */
async function runIn({ database }: Needs, { step, conversation_id }: UnseenNotice, seconds: number): Promise<void> {
  await database.asService({
    name: 'postpone_unseen_notice',
    text: 'select internal.enqueue_unseen_notice($1, $2, now() + make_interval(secs => $3))',
    values: [step, conversation_id, seconds],
  });
}
