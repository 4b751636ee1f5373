import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';
import { OutboundFailure } from '#server/outbound/outbound-client.ts';
import type { PushPayload, PushResult, PushTarget, WebPush } from '#server/push/web-push.ts';
import { type RunningPushes, TooManyPushes } from './running-pushes.ts';

/** The payload of jobs queued by `internal.enqueue_push`. */
export const pushPayload = v.object({
  subscription_id: v.pipe(v.string(), v.uuid()),
  /** Null for a test. */
  message_id: v.nullable(v.pipe(v.string(), v.uuid())),
});

type PushJob = v.InferOutput<typeof pushPayload>;
type Needs = Pick<Dependencies, 'database' | 'push' | 'sent' | 'config' | 'secrets' | 'limits' | 'log' | 'now'> & {
  readonly running: RunningPushes;
};

/** How long a browser that cannot be reached is tried, in hours. Then its subscription has ended. */
const RETRIED_HOURS = 24;
const LONGEST_WAIT_SECONDS = 6 * 3_600;

interface Subscription extends PushTarget {
  readonly user_id: string;
  readonly server_key: string;
  readonly shows_text: boolean;
  readonly failures: number;
  /** In how many seconds the push service may be tried again; at most 0 for now. */
  readonly wait_seconds: number;
  readonly has_failed_too_long: boolean;
  readonly is_wanted: boolean;
  /** In how many seconds the owner's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
  /** The finder's unread messages, up to a bound. */
  readonly unread: number;
  /** All null for a test, and where the message is gone. */
  readonly body: string | null;
  readonly conversation_id: string | null;
  readonly qr_id: string | null;
  readonly item_name: string | null;
  readonly is_first: boolean | null;
  readonly owner_has_replied: boolean | null;
}

/**
 * Sends one push to one browser: about a message, or as a test. A message that has been read or is a day old sends none, nor
 * does one of a conversation that was muted or blocked in the meantime. In the owner's quiet hours pushes wait; of each
 * conversation, the latest is sent when they end.
 *
 * After a failure the subscription waits, with growing intervals, and its jobs with it, so that a push service that is
 * slow or unavailable costs one attempt at a time, however many messages there are.
 */
export async function sendPush(needs: Needs, job: PushJob): Promise<void> {
  const { push, sent } = needs;
  if (push === null) return;
  const found = await readSubscription(needs, job);
  if (found === undefined) return;
  if (job.message_id !== null && (found.conversation_id === null || !found.is_wanted)) return;
  if (found.server_key !== push.publicKey) return end(needs, job);
  if (found.quiet_for > 0 && job.message_id !== null) return retryIn(needs, job, found.quiet_for);
  if (found.wait_seconds > 0 && job.message_id !== null) return retryIn(needs, job, found.wait_seconds);

  // The push was accepted before a crash, which may have come before this was stored.
  const key = job.message_id === null ? null : `push:${job.subscription_id}:${job.message_id}`;
  if (key !== null && sent?.has(key)) return accept(needs, job);
  const counter = [
    'message_pushes_per_subscription',
    found.owner_has_replied === true ? `${job.subscription_id} replied` : job.subscription_id,
  ] as const;
  if (job.message_id !== null && !(await needs.limits.take(...counter)).allowed) return;

  const result = await attempt(needs, push, found, job);
  if (result.kind !== 'accepted' && job.message_id !== null) await needs.limits.giveBack(...counter);
  switch (result.kind) {
    case 'accepted':
      if (key !== null) sent?.add(key);
      return accept(needs, job);
    case 'ended':
      return end(needs, job);
    case 'busy':
      return retryIn(needs, job, result.seconds);
    case 'failed':
      return fail(needs, job, found, result);
  }
}

type Attempt = PushResult | { readonly kind: 'busy'; readonly seconds: number };

async function attempt(
  { running, config, secrets, log }: Needs,
  push: WebPush,
  subscription: Subscription,
  { subscription_id, message_id }: PushJob,
): Promise<Attempt> {
  try {
    return await running.run(subscription.user_id, () =>
      push.send(subscription, {
        payload: message_id === null ? testPayload(config) : messagePayload(config, subscription),
        topic: topicOf(secrets, subscription_id, subscription.conversation_id),
      }),
    );
  } catch (error) {
    if (error instanceof TooManyPushes) return { kind: 'busy', seconds: error.seconds };
    if (!(error instanceof OutboundFailure)) throw error;
    log.info({ err: error }, 'A push service gave no response; the push is retried.');
    return { kind: 'failed', status: 0, retryAfter: null };
  }
}

/**
 * A conversation has one push that waits at the push service, the latest. The topic is not encrypted (RFC 8030, section
 * 5.4), so it tells neither the conversation nor that two browsers have the same one.
 */
function topicOf(secrets: Needs['secrets'], subscriptionId: string, conversationId: string | null): string {
  return createHmac('sha256', deriveKey(secrets.refreshTokenSecret, 'push topics'))
    .update(`${subscriptionId} ${conversationId ?? 'test'}`)
    .digest('base64url')
    .slice(0, 32);
}

function testPayload({ productName: product, publicUrl, defaultLanguage }: Needs['config']): PushPayload {
  const { tag: lang, direction: dir } = defaultLanguage;
  const texts = letterTexts(defaultLanguage).push.test({ product });
  return {
    web_push: 8030,
    notification: { ...texts, navigate: `${publicUrl}/profile`, lang, dir, tag: 'test', renotify: true },
  };
}

function messagePayload(
  { productName: product, publicUrl, defaultLanguage }: Needs['config'],
  { body, shows_text, item_name, qr_id, is_first, conversation_id, unread }: Subscription,
): PushPayload {
  const { tag: lang, direction: dir } = defaultLanguage;
  const texts = letterTexts(defaultLanguage).push.message({
    product,
    itemName: item_name ?? '',
    isFirst: is_first === true,
    body: shows_text ? body : null,
  });
  return {
    web_push: 8030,
    notification: {
      ...texts,
      navigate: `${publicUrl}/item/${encodeURIComponent(qr_id ?? '')}`,
      lang,
      dir,
      tag: conversation_id ?? '',
      renotify: true,
    },
    app_badge: unread,
  };
}

async function readSubscription({ database }: Needs, job: PushJob): Promise<Subscription | undefined> {
  const { rows } = await database.asService<Subscription>({
    name: 'push_to_send',
    text: `select subscription.user_id, subscription.endpoint, subscription.p256dh, subscription.auth,
        subscription.server_key, subscription.shows_text, subscription.failures,
        coalesce(ceil(extract(epoch from subscription.retry_at - now())), 0)::integer as wait_seconds,
        coalesce(subscription.failing_since < now() - make_interval(hours => $3), false) as has_failed_too_long,
        coalesce(settings.push, true) as is_wanted,
        coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          settings.quiet_from, settings.quiet_to, settings.time_zone, now()) - now())), 0)::integer as quiet_for,
        (
          select count(*)::integer from (
            select from public.messages as other
              where other.owner_id = subscription.user_id and other.sender = 'finder' and other.read_at is null
              limit 999
          ) as others
        ) as unread,
        message.body, message.conversation_id, item.qr_id, item.item_name,
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
      from public.push_subscriptions as subscription
      join auth.users as account on account.id = subscription.user_id and account.deleted_at is null
      join auth.sessions as session
        on session.id = subscription.session_id and (session.not_after is null or session.not_after > now())
      left join public.notice_settings as settings on settings.user_id = subscription.user_id
      left join public.messages as message
        on message.id = $2 and message.owner_id = subscription.user_id and message.read_at is null
          and not internal.is_muted(message.conversation_id)
          -- It may have waited for less than a day before it was tried.
          and message.created_at > now() - make_interval(hours => case when settings.quiet_from is null then $3 else 2 * $3 end)
          and not (
            internal.end_of_quiet_hours(
              settings.quiet_from, settings.quiet_to, settings.time_zone, message.created_at) is not null
            and exists (
              select from public.messages as later
                where later.conversation_id = message.conversation_id and later.sender = 'finder'
                  and later.read_at is null and (later.created_at, later.id) > (message.created_at, message.id)
            )
          )
      left join public.items as item on item.id = message.item_id
      where subscription.id = $1 and subscription.ended_at is null`,
    values: [job.subscription_id, job.message_id, RETRIED_HOURS],
  });
  return rows[0];
}

async function accept({ database }: Needs, { subscription_id, message_id }: PushJob): Promise<void> {
  if (message_id !== null) await markMessageDelivered(database, message_id);
  await database.asService({
    name: 'push_accepted',
    text: `update public.push_subscriptions
             set delivered_at = now(), failures = 0, failing_since = null, retry_at = null where id = $1`,
    values: [subscription_id],
  });
}

async function end({ database }: Needs, { subscription_id }: PushJob): Promise<void> {
  await database.asService({
    name: 'push_subscription_ended',
    text: 'update public.push_subscriptions set ended_at = now() where id = $1 and ended_at is null',
    values: [subscription_id],
  });
}

/** Jobs of one subscription that fail at the same time count as one failure. */
async function fail(
  needs: Needs,
  job: PushJob,
  { failures, has_failed_too_long }: Subscription,
  { status, retryAfter }: Extract<PushResult, { kind: 'failed' }>,
): Promise<void> {
  if (has_failed_too_long) return end(needs, job);
  const wait = Math.max(waitAfter(failures + 1), secondsUntil(retryAfter, needs.now()));
  needs.log.info({ status, seconds: wait }, 'A push service did not accept a push; it is retried.');
  await needs.database.asService({
    name: 'push_failed',
    text: `update public.push_subscriptions
             set failures = failures + 1, failing_since = coalesce(failing_since, now()),
               retry_at = now() + make_interval(secs => $2)
             where id = $1 and failures = $3`,
    values: [job.subscription_id, wait, failures],
  });
  // Who asked for a test tries it again.
  if (job.message_id !== null) await retryIn(needs, job, wait);
}

/** The wait after so many failures, in seconds: e, e², …, six hours. */
function waitAfter(failures: number): number {
  return Math.min(Math.ceil(Math.exp(failures)), LONGEST_WAIT_SECONDS);
}

/** What a push service asks for: seconds, or a date (RFC 9110, section 10.2.3). Bounded, because it may be anything. */
function secondsUntil(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_SECONDS);
}

/** Queues the job again. The job that runs at present has lost its key to it and is done. */
async function retryIn({ database }: Needs, { subscription_id, message_id }: PushJob, seconds: number): Promise<void> {
  await database.asOwner({
    name: 'retry_push',
    text: `select graphile_worker.add_job('send_push',
        json_build_object('subscription_id', $1::text, 'message_id', $2::text),
        job_key := 'send_push:' || $1 || ':' || coalesce($2, 'test'), flags := array['push'],
        run_at := now() + make_interval(secs => $3))`,
    values: [subscription_id, message_id, seconds],
  });
}
