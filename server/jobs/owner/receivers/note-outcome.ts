import { setTimeout as pause } from 'node:timers/promises';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import { WANTS_EMAIL } from '../message-events.ts';
import {
  type ReceiverJob,
  type ReceiverKind,
  type ReceiverNeeds,
  type ReceiverOutcome,
  type ReceiverRow,
  subjectOf,
} from './receiver.ts';

const LONGEST_WAIT_SECONDS = 6 * 3_600;

type AnyKind = Pick<ReceiverKind<ReceiverRow>, 'table' | 'task' | 'idName' | 'called'>;

/** Stores that a receiver accepted something. */
export async function accept(
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

/** Stores that a receiver exists no longer. */
export async function end(
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
 * An owner who wants no email about a message gets it while no browser gets pushes. That this one does not was unknown when the
 * message came.
 */
async function mailInstead(
  database: ReceiverNeeds['database'],
  messageId: string | null,
  userId: string,
  afterSeconds = 0,
): Promise<void> {
  if (messageId === null) return;
  await database.asOwner({
    name: 'mail_in_place_of_push',
    text: `select graphile_worker.add_job('notify_owner_of_message', json_build_object('message_id', $1::text),
        job_key := 'notify_owner_of_message:' || $1, run_at := now() + make_interval(secs => $3))
      from public.messages as message join public.notice_settings as settings on settings.user_id = $2
      where message.id = $1::uuid and not ${WANTS_EMAIL}`,
    values: [messageId, userId, afterSeconds],
  });
}

/** Stores a failure, and queues the job again. Jobs of one receiver that fail at the same time count as one failure. */
export async function fail(
  needs: ReceiverNeeds,
  kind: AnyKind,
  job: ReceiverJob,
  receiver: ReceiverRow,
  { status, retryAfter, unusedSeconds = 0 }: Extract<ReceiverOutcome, { kind: 'failed' }>,
): Promise<void> {
  if (receiver.has_failed_too_long) {
    await pause(unusedSeconds * 1_000);
    return end(needs, kind, job, receiver);
  }
  const isFirst = receiver.failures === 0 || receiver.was_idle;
  const failures = isFirst ? 1 : receiver.failures + 1;
  const wait = Math.max(waitAfter(failures), secondsUntil(retryAfter, needs.now())) + unusedSeconds;
  needs.log.info({ status, seconds: wait }, `${kind.called} did not accept a message; it is tried again.`);
  const { rows } = await needs.database.asService<{ wait: number }>({
    name: `${kind.task}_failed`,
    text: `with failed as (
             update ${kind.table} set failures = $4, retry_at = now() + make_interval(secs => $2)
               where id = $1 and failures = $3 returning retry_at
           )
           select extract(epoch from coalesce((select retry_at from failed), retry_at) - now())::float8 as wait
             from ${kind.table} where id = $1`,
    values: [job.receiverId, wait, receiver.failures, failures],
  });
  if (isFirst && kind.task === 'send_push') {
    await mailInstead(needs.database, job.messageId, receiver.user_id, unusedSeconds);
  }
  // Who asked for a test tries it again.
  if (subjectOf(job) !== null) {
    await retryIn(needs, kind, job, { is_proved: false }, Math.max(wait, rows[0]?.wait ?? 0));
  }
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
export async function retryIn(
  { database }: ReceiverNeeds,
  { task, idName }: AnyKind,
  job: ReceiverJob,
  { is_proved: isProved }: Pick<ReceiverRow, 'is_proved'>,
  seconds: number,
): Promise<void> {
  const { receiverId, messageId, change } = job;
  await database.asOwner({
    name: `retry_${task}`,
    text: `select graphile_worker.add_job('${task}',
        json_build_object('${idName}', $1::text, 'message_id', $2::text, 'change', $6::json),
        job_key := '${task}:' || $1 || ':' || coalesce($5, 'test'),
        flags := case when not $4 then array['unproved'] end, run_at := now() + make_interval(secs => $3))`,
    values: [receiverId, messageId, seconds, isProved, subjectOf(job), JSON.stringify(change)],
  });
}
/**
 * Stores the attempt before it is made, as if there were no response. Were that stored afterwards, its owner would learn
 * when the receiver's host ended the connection: whether a port is open, closed, or filtered.
 */
export async function noteAttempt(
  { database }: ReceiverNeeds,
  { table, task }: AnyKind,
  { id, failures, was_idle: wasIdle }: ReceiverRow,
): Promise<void> {
  await database.asService({
    name: `${task}_begun`,
    text: `update ${table}
             set attempted_at = date_trunc('second', now()), last_status = null,
               failing_since = case when $2 then date_trunc('second', now()) else failing_since end
             where id = $1`,
    values: [id, failures === 0 || wasIdle],
  });
}

/** Stores the status of a response. */
export async function noteStatus(
  { database }: ReceiverNeeds,
  { table, task }: AnyKind,
  receiverId: string,
  status: number,
): Promise<void> {
  await database.asService({
    name: `${task}_status`,
    text: `update ${table} set last_status = $2 where id = $1`,
    values: [receiverId, status],
  });
}
