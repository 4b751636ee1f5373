import type { MessageKind } from '#domain/contact/message-details.ts';
import { messageInWords } from '#domain/texts/describe-details.ts';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { CountNotice } from '#server/metrics/count-deliveries.ts';
import { OutboundFailure } from '#server/outbound/outbound-client.ts';
import { type RunningPushes, TooManyPushes } from './running-pushes.ts';
import { IS_SETTLED } from './unseen/unseen-messages.ts';

export type ReceiverNeeds = Pick<
  Dependencies,
  'database' | 'sent' | 'config' | 'secrets' | 'limits' | 'log' | 'now'
> & { readonly running: RunningPushes; readonly countNotice: CountNotice };

/** What became of an attempt. */
export type ReceiverOutcome =
  | { readonly kind: 'accepted' }
  /** The receiver exists no longer. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly status: number; readonly retryAfter: string | null };

/** A message, and the receiver that is told of it. */
export interface ReceiverRow {
  readonly id: string;
  readonly user_id: string;
  readonly failures: number;
  /** In how many seconds the receiver may be tried again; at most 0 for now. */
  readonly wait_seconds: number;
  readonly has_failed_too_long: boolean;
  /** Whether the last attempt is so long ago that a failure is the first of its own. */
  readonly was_idle: boolean;
  readonly is_wanted: boolean;
  /** In how many seconds the owner's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
  /** The finder's unread messages, up to a bound. */
  readonly unread: number;
  /** All null for a test, and where the message is gone. */
  readonly body: string | null;
  readonly message_kind: MessageKind | null;
  /** Also null where the finder named none. */
  readonly place: string | null;
  readonly sent_at: Date | null;
  readonly conversation_id: string | null;
  readonly item_id: string | null;
  readonly qr_id: string | null;
  readonly item_name: string | null;
  readonly is_first: boolean | null;
  readonly owner_has_replied: boolean | null;
}

/** A kind of receivers of an owner that are told of messages. The texts are parts of SQL. */
export interface ReceiverKind<Row extends ReceiverRow> {
  /** With the columns failures, failing_since, retry_at, delivered_at, and ended_at. */
  readonly table: 'public.push_subscriptions' | 'public.notice_addresses';
  readonly task: 'send_push' | 'send_notice';
  /** The name of the receiver's id in the payload of the job. */
  readonly idName: 'subscription_id' | 'address_id';
  /** The first part of the keys of `server/delivery/sent-keys.ts`. */
  readonly sentName: 'push' | 'notice';
  readonly limit: LimitName;
  /** What the log calls it. */
  readonly called: string;
  /** Further columns of `receiver` and `settings`, among them `is_wanted`. */
  readonly columns: string;
  readonly joins: string;
  /** Whether a receiver waits in quiet hours. */
  readonly waitsInQuietHours: string;
  /** @throws OutboundFailure where there is no response. */
  readonly send: (row: Row) => Promise<ReceiverOutcome>;
  /** Stores that there was an attempt. */
  readonly noteAttempt?: (row: Row) => Promise<void>;
}

/**
 * Returns what a notification shows of a message, for owners who chose texts: the finder's tap and place, and the words; null
 * where there are none. Coordinates say nothing at a glance.
 */
export function shownText(
  { config: { defaultLanguage } }: Pick<ReceiverNeeds, 'config'>,
  { body, message_kind: kind, place }: ReceiverRow,
): string | null {
  if (kind === null) return null;
  return messageInWords({ kind, place, location: null, body: body ?? '' }, defaultLanguage.texts) || null;
}

export interface ReceiverJob {
  readonly receiverId: string;
  /** Null for a test. */
  readonly messageId: string | null;
}

/** How long a receiver that cannot be reached is tried, in hours. Then it has ended. */
const RETRIED_HOURS = 24;
const LONGEST_WAIT_SECONDS = 6 * 3_600;

/**
 * Tells one receiver of a message, or sends it a test. A message that has been read, replied to, or is a day old is not told,
 * nor is one of a conversation that was muted, blocked, or returned in the meantime. In the owner's quiet hours the receiver may wait; of each
 * conversation, the latest message is told when they end.
 *
 * After a failure the receiver waits, with growing intervals, and its jobs with it, so that one that is slow or unavailable
 * costs one attempt at a time, however many messages there are.
 */
export async function notifyReceiver<Row extends ReceiverRow>(
  needs: ReceiverNeeds,
  kind: ReceiverKind<Row>,
  job: ReceiverJob,
): Promise<void> {
  const { sent } = needs;
  const { receiverId, messageId } = job;
  const found = await readReceiver(needs, kind, job);
  if (found === undefined) return;
  if (messageId !== null) {
    // The message may have waited until it was too old.
    if (found.conversation_id === null && found.has_failed_too_long) return end(needs, kind, job, found);
    if (found.conversation_id === null || !found.is_wanted) return;
    const wait = found.quiet_for > 0 ? found.quiet_for : found.wait_seconds;
    if (wait > 0) return retryIn(needs, kind, job, wait);
  }

  // It was accepted before a crash, which may have come before this was stored.
  const key = messageId === null ? null : `${kind.sentName}:${receiverId}:${messageId}`;
  if (key !== null && sent?.has(key)) return accept(needs, kind, job);
  const counter = [kind.limit, found.owner_has_replied === true ? `${receiverId} replied` : receiverId] as const;
  if (messageId !== null && !(await needs.limits.take(...counter)).allowed) return;

  const result = await attempt(needs, kind, found);
  // Before anything that may fail, or the receiver would be told again.
  if (result.kind === 'accepted' && key !== null) sent?.add(key);
  if (result.kind !== 'accepted' && messageId !== null) await needs.limits.giveBack(...counter);
  if (result.kind !== 'busy') await kind.noteAttempt?.(found);
  switch (result.kind) {
    case 'accepted':
      return accept(needs, kind, job);
    case 'ended':
      return end(needs, kind, job, found);
    case 'busy':
      return retryIn(needs, kind, job, result.seconds);
    case 'failed':
      return fail(needs, kind, job, found, result);
  }
}

async function attempt<Row extends ReceiverRow>(
  { running, log }: ReceiverNeeds,
  kind: ReceiverKind<Row>,
  row: Row,
): Promise<ReceiverOutcome | { readonly kind: 'busy'; readonly seconds: number }> {
  try {
    return await running.run(row.user_id, () => kind.send(row));
  } catch (error) {
    if (error instanceof TooManyPushes) return { kind: 'busy', seconds: error.seconds };
    if (!(error instanceof OutboundFailure)) throw error;
    log.info({ err: error }, `${kind.called} gave no response; it is tried again.`);
    return { kind: 'failed', status: 0, retryAfter: null };
  }
}

async function readReceiver<Row extends ReceiverRow>(
  { database }: ReceiverNeeds,
  { table, task, columns, joins, waitsInQuietHours }: ReceiverKind<Row>,
  { receiverId, messageId }: ReceiverJob,
): Promise<Row | undefined> {
  const { rows } = await database.asService<Row>({
    name: `receiver_of_${task}`,
    text: `select receiver.id, receiver.user_id, receiver.failures, ${columns},
        coalesce(ceil(extract(epoch from receiver.retry_at - now())), 0)::integer as wait_seconds,
        coalesce(receiver.failing_since < now() - make_interval(hours => $3)
          and receiver.retry_at > now() - make_interval(hours => $3), false) as has_failed_too_long,
        coalesce(receiver.retry_at < now() - make_interval(hours => $3), false) as was_idle,
        coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          quiet.quiet_from, quiet.quiet_to, quiet.time_zone, now()) - now())), 0)::integer as quiet_for,
        (
          select count(*)::integer from (
            select from public.messages as other
              where other.owner_id = receiver.user_id and other.sender = 'finder' and other.read_at is null
              limit 999
          ) as others
        ) as unread,
        message.body, message.kind as message_kind, message.place, message.created_at as sent_at, message.conversation_id,
        message.item_id, item.qr_id, item.item_name,
        not exists (
          select from public.messages as other
            where other.conversation_id = message.conversation_id
              and (other.created_at, other.id) < (message.created_at, message.id)
        ) as is_first,
        exists (
          select from public.messages as reply
            where reply.conversation_id = message.conversation_id and reply.sender = 'owner'
              and reply.created_at < message.created_at
        ) as owner_has_replied
      from ${table} as receiver
      join auth.users as account on account.id = receiver.user_id and account.deleted_at is null
      ${joins}
      left join public.notice_settings as settings on settings.user_id = receiver.user_id
      left join public.notice_settings as quiet
        on quiet.user_id = receiver.user_id and quiet.quiet_from is not null and ${waitsInQuietHours}
      left join public.messages as message
        on message.id = $2 and message.owner_id = receiver.user_id and not ${IS_SETTLED}
          and not internal.is_muted(message.conversation_id)
          -- It may have waited for less than a day before it was tried.
          and message.created_at > now() - make_interval(hours => case when quiet.quiet_from is null then $3 else 2 * $3 end)
          and not (
            internal.end_of_quiet_hours(
              quiet.quiet_from, quiet.quiet_to, quiet.time_zone, message.created_at) is not null
            and exists (
              select from public.messages as later
                where later.conversation_id = message.conversation_id and later.sender = 'finder'
                  and later.read_at is null and (later.created_at, later.id) > (message.created_at, message.id)
            )
          )
      left join public.items as item on item.id = message.item_id
      where receiver.id = $1 and receiver.ended_at is null`,
    values: [receiverId, messageId, RETRIED_HOURS],
  });
  return rows[0];
}

type AnyKind = Pick<ReceiverKind<ReceiverRow>, 'table' | 'task' | 'idName' | 'called'>;

async function accept(
  { database }: ReceiverNeeds,
  { table, task }: AnyKind,
  { receiverId, messageId }: ReceiverJob,
): Promise<void> {
  if (messageId !== null) await markMessageDelivered(database, messageId);
  await database.asService({
    name: `${task}_accepted`,
    text: `update ${table}
             set delivered_at = now(), failures = 0, failing_since = null, retry_at = null where id = $1`,
    values: [receiverId],
  });
}

async function end(
  { database }: ReceiverNeeds,
  { table, task }: AnyKind,
  { receiverId, messageId }: ReceiverJob,
  { user_id: userId }: Pick<ReceiverRow, 'user_id'>,
): Promise<void> {
  await database.asService({
    name: `${task}_ended`,
    text: `update ${table} set ended_at = now() where id = $1 and ended_at is null`,
    values: [receiverId],
  });
  if (task === 'send_push') await mailInstead(database, messageId, userId);
}

/**
 * An owner who wants no emails gets them while no browser gets pushes. That this one does not was unknown when the
 * message came.
 */
async function mailInstead(
  database: ReceiverNeeds['database'],
  messageId: string | null,
  userId: string,
): Promise<void> {
  if (messageId === null) return;
  await database.asOwner({
    name: 'mail_in_place_of_push',
    text: `select graphile_worker.add_job('notify_owner_of_message', json_build_object('message_id', $1::text),
        job_key := 'notify_owner_of_message:' || $1)
      from public.notice_settings where user_id = $2 and not email`,
    values: [messageId, userId],
  });
}

/** Jobs of one receiver that fail at the same time count as one failure. */
async function fail(
  needs: ReceiverNeeds,
  kind: AnyKind,
  job: ReceiverJob,
  receiver: ReceiverRow,
  { status, retryAfter }: Extract<ReceiverOutcome, { kind: 'failed' }>,
): Promise<void> {
  if (receiver.has_failed_too_long) return end(needs, kind, job, receiver);
  const isFirst = receiver.failures === 0 || receiver.was_idle;
  const failures = isFirst ? 1 : receiver.failures + 1;
  const wait = Math.max(waitAfter(failures), secondsUntil(retryAfter, needs.now()));
  needs.log.info({ status, seconds: wait }, `${kind.called} did not accept a message; it is tried again.`);
  await needs.database.asService({
    name: `${kind.task}_failed`,
    text: `update ${kind.table}
             set failures = $4, failing_since = case when $5 then now() else failing_since end,
               retry_at = now() + make_interval(secs => $2)
             where id = $1 and failures = $3`,
    values: [job.receiverId, wait, receiver.failures, failures, isFirst],
  });
  if (isFirst && kind.task === 'send_push') await mailInstead(needs.database, job.messageId, receiver.user_id);
  // Who asked for a test tries it again.
  if (job.messageId !== null) await retryIn(needs, kind, job, wait);
}

/** The wait after so many failures, in seconds: e, e², …, six hours. */
function waitAfter(failures: number): number {
  return Math.min(Math.ceil(Math.exp(failures)), LONGEST_WAIT_SECONDS);
}

/** What a receiver asks for: seconds, or a date (RFC 9110, section 10.2.3). Bounded, because it may be anything. */
function secondsUntil(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_SECONDS);
}

/** Queues the job again. The job that runs at present has lost its key to it and is done. */
async function retryIn(
  { database }: ReceiverNeeds,
  { task, idName }: AnyKind,
  { receiverId, messageId }: ReceiverJob,
  seconds: number,
): Promise<void> {
  await database.asOwner({
    name: `retry_${task}`,
    text: `select graphile_worker.add_job('${task}',
        json_build_object('${idName}', $1::text, 'message_id', $2::text),
        job_key := '${task}:' || $1 || ':' || coalesce($2, 'test'), flags := array['push'],
        run_at := now() + make_interval(secs => $3))`,
    values: [receiverId, messageId, seconds],
  });
}
