import { EventEmitter } from 'node:events';
import { type Runner, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { forgetWhatIsOver } from './forget-what-is-over.ts';
import { jobLog } from './job-log.ts';
import { messageDigestPayload, sendMessageDigest } from './message-digest.ts';
import { newSignInPayload, notifyNewSignIn } from './notify-new-sign-in.ts';
import { messageNoticePayload, notifyOwnerOfMessage } from './notify-owner-of-message.ts';
import { removeFiles } from './remove-files.ts';
import { accountMailPayload, sendAccountMail } from './send-account-mail.ts';
import { SignOfLife } from './sign-of-life.ts';

export interface Jobs {
  /** Takes no more jobs, and resolves once those that run are done. */
  stop(): Promise<void>;
}

export interface JobOptions {
  /** How old a job of another process must be before that process is suspected to be dead. */
  readonly graceMs?: number;
  readonly lookEveryMs?: number;
}

/** Jobs of one process that run at the same time. */
const CONCURRENCY = 2;
/** Jobs are taken at once on a notification; this is for those that are tried again later. */
const POLL_MS = 2_000;
const RESTART_MS = 1_000;
/** What is done by the clock (UTC), by whichever server is there; and once where its time was missed. */
const CRONTAB = `
17 * * * * sweep_storage ?fill=1h&jobKey=sweep_storage
23 3 * * * forget_what_is_over ?fill=12h&jobKey=forget_what_is_over
`;

/**
 * Works on the job queue until it is stopped. A job that throws is tried again after e, e², … seconds, 25 times in
 * all (about three days); one whose process dies is done by another.
 */
export async function startJobs(
  dependencies: Dependencies,
  { graceMs = 5_000, lookEveryMs = 5_000 }: JobOptions = {},
): Promise<Jobs> {
  const { database, log } = dependencies;
  let stopping = false;
  let wake: () => void = () => undefined;

  const begin = async (): Promise<{ runner: Runner; sign: SignOfLife }> => {
    const events: WorkerEvents = new EventEmitter();
    let workerId = '';
    events.on('pool:create', ({ workerPool }) => {
      workerId = workerPool.id;
    });
    // The queue remembers the failure of its very first question for good: every worker is then told the same error,
    // whatever the database says by now. Only a queue that is begun anew asks again.
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
    const runner = await run({
      pgPool: database.ownerPool,
      taskList: tasksOf(dependencies),
      crontab: CRONTAB,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      // Stopping waits for the marks of finished jobs only where they go through its batches; otherwise one that is
      // done stays in the queue, and is done again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // The process has its own way to stop.
      noHandleSignals: true,
      logger: jobLog(log),
      events,
    });
    restart = () => void runner.stop().catch(() => undefined);
    if (isStuck) restart();
    const sign = new SignOfLife({ pool: database.ownerPool, log, workerId, graceMs, lookEveryMs });
    try {
      await sign.start();
    } catch (error) {
      // A runner that no caller knows of would go on for good.
      await runner.stop().catch(() => undefined);
      await sign.stop();
      throw error;
    }
    return { runner, sign };
  };

  let current = await begin();
  const watched = (async () => {
    while (!stopping) {
      await current.runner.promise.catch(() => undefined);
      await current.sign.stop();
      // It gives up where the database was away for too long; the service goes on, so the jobs must too.
      while (!stopping) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, RESTART_MS);
        });
        if (stopping) return;
        try {
          current = await begin();
          log.warn({}, 'The job queue had stopped, and runs again.');
          break;
        } catch (error) {
          log.warn({ err: error }, 'The job queue could not be started again yet.');
        }
      }
    }
    // `stop` knows only the runner that there was when it was called. One that began meanwhile is stopped here.
    await current.runner.stop().catch(() => undefined);
    await current.runner.promise.catch(() => undefined);
    await current.sign.stop();
  })();

  return {
    async stop() {
      if (stopping) return;
      stopping = true;
      wake();
      // It rejects where the queue has stopped by itself already.
      await current.runner.stop().catch(() => undefined);
      await watched;
    },
  };
}

function tasksOf(dependencies: Dependencies): TaskList {
  /** A payload that is not what the database enqueues can never be worked on: it is dropped, and said. */
  const task =
    <Payload extends v.GenericSchema>(
      payload: Payload,
      work: (dependencies: Dependencies, job: v.InferOutput<Payload>) => Promise<void>,
    ): Task =>
    async (given, { job }) => {
      const parsed = v.safeParse(payload, given);
      if (parsed.success) await work(dependencies, parsed.output);
      else dependencies.log.error({ task: job.task_identifier }, 'A job that makes no sense was dropped.');
    };
  return {
    forget_what_is_over: () => forgetWhatIsOver(dependencies),
    notify_owner_of_message: task(messageNoticePayload, (needs, { message_id }) =>
      notifyOwnerOfMessage(needs, message_id),
    ),
    send_message_digest: task(messageDigestPayload, sendMessageDigest),
    notify_new_sign_in: task(newSignInPayload, notifyNewSignIn),
    send_account_mail: task(accountMailPayload, sendAccountMail),
    remove_files: (payload) => removeFiles(dependencies, payload),
    sweep_storage: () => sweepStorage(dependencies),
  };
}
