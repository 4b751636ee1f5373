import { EventEmitter } from 'node:events';
import type { Runner, Task, TaskList, WorkerEvents } from 'graphile-worker';
import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import { countNotices } from '#server/metrics/count-deliveries.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { notifyFinderOfReply, replyNoticePayload } from './finder/notify-finder-of-reply.ts';
import { finderProofPayload, proveFinderAddress } from './finder/prove-finder-address.ts';
import { enqueueTypedCodes, GIVE_TYPED_CODES, giveTypedCodes } from './give-typed-codes.ts';
import { messageDigestPayload, sendMessageDigest } from './message-digest.ts';
import { newSignInPayload, notifyNewSignIn } from './notify-new-sign-in.ts';
import { notifyOperatorOfReport, reportNoticePayload } from './notify-operator-of-report.ts';
import { messageNoticePayload, notifyOwnerOfMessage } from './notify-owner-of-message.ts';
import type { ReceiverNeeds } from './notify-receiver.ts';
import { purgeExpired } from './purge-expired.ts';
import { Heartbeat } from './queue/heartbeat.ts';
import { jobLog } from './queue/job-log.ts';
import { retryForADay } from './queue/retry-for-a-day.ts';
import { removeFiles } from './remove-files.ts';
import { reportDigestPayload, SEND_REPORT_DIGEST, sendReportDigest } from './report-digest.ts';
import { MOST_PUSHES, RunningPushes } from './running-pushes.ts';
import { contactInvitationPayload, inviteSecondContact } from './second-contact/invite-second-contact.ts';
import { contactNoticePayload, notifySecondContact } from './second-contact/notify-second-contact.ts';
import { contactDigestPayload, sendContactDigest } from './second-contact/send-contact-digest.ts';
import { accountMailPayload, sendAccountMail } from './send-account-mail.ts';
import { noticePayload, sendNotice } from './send-notice.ts';
import { offerMailPayload, sendOfferMail } from './send-offer-mail.ts';
import { pushPayload, sendPush } from './send-push.ts';
import { sendVoidMail, voidMailPayload } from './stickers/send-void-mail.ts';
import { notifyOfUnseen, unseenNoticePayload } from './unseen/notify-of-unseen.ts';

export interface Jobs {
  /** Takes no more jobs, and resolves once running jobs are done. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** How old another process's job must be before that process is checked, in milliseconds. */
  readonly graceMs?: number;
  readonly lookEveryMs?: number;
  /** How long the library may take to end after its last job, where it failed to mark one as done. */
  readonly endWithinMs?: number;
  /** The pushes that run; they have a clock of their own. */
  readonly running?: RunningPushes;
}

/** How many SMS one process sends at the same time. A provider that hangs leaves the other workers to other jobs. */
const MOST_TEXTS = 2;
const BUSY_TEXT_MS = 2_000;
/** How many jobs one process runs at the same time: two, the pushes, and the SMS. */
const CONCURRENCY = 2 + MOST_PUSHES + MOST_TEXTS;
/** New jobs are announced by notification; polling is for scheduled and retried ones. */
const POLL_MS = 2_000;
const RESTART_MS = 1_000;
/** Scheduled jobs (UTC), run by any server, and once later where the time was missed. */
const CRONTAB = `
17 * * * * sweep_storage ?fill=1h&jobKey=sweep_storage
23 3 * * * purge_expired ?fill=12h&jobKey=purge_expired
`;

/**
 * Works on the job queue until it is stopped. A failing job is retried after e, e², … seconds, 25 times in all (about
 * four days), and one about a finder's message for a day. The jobs of a dead process are run by another.
 */
export async function startJobs(
  dependencies: Dependencies,
  { graceMs = 5_000, lookEveryMs = 5_000, endWithinMs = 10_000, running = new RunningPushes() }: JobOptions = {},
): Promise<Jobs> {
  const { database, log } = dependencies;
  const countNotice = countNotices(dependencies.metrics);
  const texts = { running: 0 };
  let stopping = false;
  let wake: () => void = () => undefined;

  const begin = async (): Promise<{ runner: Runner; sign: Heartbeat; ended: Promise<void> }> => {
    const events: WorkerEvents = new EventEmitter();
    let workerId = '';
    events.on('pool:create', ({ workerPool }) => {
      workerId = workerPool.id;
    });
    const inHand = new Set<string>();
    events.on('job:start', ({ job }) => inHand.add(job.id));
    events.on('job:complete', ({ job }) => inHand.delete(job.id));
    // Where graphile-worker fails to mark jobs as done, it stops. Where that happens twice, it waits forever for a count
    // that has passed zero. Its jobs are then those of a dead worker, and run again.
    const abandoned = Promise.withResolvers<void>();
    const abandonWhenIdle = () => {
      if (inHand.size > 0) setTimeout(abandonWhenIdle, endWithinMs).unref();
      else abandoned.resolve();
    };
    events.once('pool:fatalError', () => setTimeout(abandonWhenIdle, endWithinMs).unref());
    // graphile-worker keeps the failure of its first query for good: every worker then gets the same error, whatever
    // the state of the database. Only a new runner queries again.
    const failures = new WeakSet<object>();
    let isStuck = false;
    let restart = () => {
      isStuck = true;
    };
    events.on('worker:getJob:error', ({ error }) => {
      if (typeof error !== 'object' || error === null) return;
      if (failures.has(error)) restart();
      failures.add(error);
    });
    const runner = await database.runJobQueue({
      taskList: tasksOf(dependencies, { running, countNotice }, texts),
      forbiddenFlags: () => [...running.forbiddenFlags(), ...(texts.running < MOST_TEXTS ? [] : ['sms'])],
      crontab: CRONTAB,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      // Stopping waits for finished jobs to be marked only where that is batched. Otherwise a finished job can stay in
      // the queue and run again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // The process handles signals itself.
      noHandleSignals: true,
      logger: jobLog(log),
      events,
    });
    restart = () => void runner.stop().catch(() => undefined);
    if (isStuck) restart();
    const sign = new Heartbeat({
      database,
      log,
      workerId,
      graceMs,
      lookEveryMs,
      isRunning: (jobId) => inHand.has(jobId),
      // The next runner has another name, so the jobs of this one are found to be a dead worker's. Those that it runs
      // are finished first.
      onStrayJobs: () => restart(),
    });
    try {
      await sign.start();
    } catch (error) {
      // A runner without an owner would run forever.
      await runner.stop().catch(() => undefined);
      await sign.stop();
      throw error;
    }
    return { runner, sign, ended: Promise.race([runner.promise.catch(() => undefined), abandoned.promise]) };
  };

  await enqueueTypedCodes(database);
  let current = await begin();
  const watched = (async () => {
    while (!stopping) {
      await current.ended;
      // One that was abandoned still has its schedule.
      void current.runner.stop().catch(() => undefined);
      await current.sign.stop();
      // The runner gives up where the database is away for too long. The service goes on, so the jobs must too.
      while (!stopping) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, RESTART_MS);
        });
        if (stopping) return;
        try {
          current = await begin();
          log.warn({}, 'The job queue had stopped and is running again.');
          break;
        } catch (error) {
          log.warn({ err: error }, 'The job queue could not be restarted; retrying.');
        }
      }
    }
    // `stop` stops the runner current at its call. A runner that began in the meantime is stopped here.
    void current.runner.stop().catch(() => undefined);
    await current.ended;
    await current.sign.stop();
  })();

  return {
    async stop() {
      if (stopping) return;
      stopping = true;
      wake();
      // It rejects where the queue has already stopped by itself.
      void current.runner.stop().catch(() => undefined);
      await watched;
    },
  };
}

function tasksOf(
  dependencies: Dependencies,
  notices: Pick<ReceiverNeeds, 'running' | 'countNotice'>,
  texts: { running: number },
): TaskList {
  /** Drops and logs a job whose payload is malformed, because it can never succeed. */
  const task =
    <Payload extends v.GenericSchema>(
      payload: Payload,
      work: (dependencies: Dependencies, job: v.InferOutput<Payload>) => Promise<void>,
    ): Task =>
    async (given, { job }) => {
      const parsed = v.safeParse(payload, given);
      if (parsed.success) await work(dependencies, parsed.output);
      else dependencies.log.error({ task: job.task_identifier }, 'A job with a malformed payload was dropped.');
    };
  /** Runs a job with the flag `sms` while fewer than `MOST_TEXTS` run. Several workers may have taken one at once. */
  const inTurn =
    (work: Task): Task =>
    async (payload, queue) => {
      const { job } = queue;
      if (job.flags?.sms !== true) return work(payload, queue);
      if (texts.running >= MOST_TEXTS) {
        await queue.addJob(job.task_identifier, payload, {
          ...(job.key !== null && { jobKey: job.key }),
          maxAttempts: job.max_attempts,
          flags: ['sms'],
          runAt: new Date(Date.now() + BUSY_TEXT_MS),
        });
        return;
      }
      texts.running += 1;
      try {
        return await work(payload, queue);
      } finally {
        texts.running -= 1;
      }
    };
  const forADay = (work: Task) => retryForADay(dependencies.database, work);
  return {
    purge_expired: () => purgeExpired(dependencies),
    // Its former name, for a job that an earlier release queued.
    forget_what_is_over: () => purgeExpired(dependencies),
    notify_owner_of_message: forADay(
      task(messageNoticePayload, (needs, { message_id }) => notifyOwnerOfMessage(needs, message_id)),
    ),
    notify_operator_of_report: task(reportNoticePayload, (needs, { report_id }) =>
      notifyOperatorOfReport(needs, report_id),
    ),
    [SEND_REPORT_DIGEST]: task(reportDigestPayload, sendReportDigest),
    invite_second_contact: task(contactInvitationPayload, inviteSecondContact),
    notify_second_contact: forADay(inTurn(task(contactNoticePayload, notifySecondContact))),
    send_contact_digest: forADay(inTurn(task(contactDigestPayload, sendContactDigest))),
    notify_of_unseen: forADay(inTurn(task(unseenNoticePayload, notifyOfUnseen))),
    prove_finder_address: task(finderProofPayload, proveFinderAddress),
    notify_finder_of_reply: task(replyNoticePayload, notifyFinderOfReply),
    send_message_digest: task(messageDigestPayload, sendMessageDigest),
    notify_new_sign_in: task(newSignInPayload, notifyNewSignIn),
    send_push: task(pushPayload, (needs, push) => sendPush({ ...needs, ...notices }, push)),
    send_notice: task(noticePayload, (needs, notice) => sendNotice({ ...needs, ...notices }, notice)),
    send_offer_mail: task(offerMailPayload, sendOfferMail),
    send_void_mail: task(voidMailPayload, sendVoidMail),
    send_account_mail: task(accountMailPayload, sendAccountMail),
    remove_files: (payload) => removeFiles(dependencies, payload),
    sweep_storage: () => sweepStorage(dependencies),
    [GIVE_TYPED_CODES]: () => giveTypedCodes(dependencies),
  };
}
