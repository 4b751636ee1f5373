import { EventEmitter } from 'node:events';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type { Dependencies } from '#server/dependencies.ts';
import { Heartbeat } from './queue/heartbeat.ts';
import { jobLog } from './queue/job-log.ts';
import { sharesOf } from './tasks.ts';
import { enqueueTypedCodes } from './upkeep/give-typed-codes.ts';

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
}

/** New jobs are announced by notification; polling is for scheduled and retried ones. */
const POLL_MS = 2_000;
const RESTART_MS = 1_000;

/**
 * Works on the job queue until it is stopped. A failing job is retried after e, e², … seconds, 25 times in all (about
 * four days), and one about a finder's message for a day. The jobs of a dead process are run by another.
 *
 * Each share of `sharesOf` has a runner of graphile-worker of its own. They begin and end together.
 */
export async function startJobs(
  dependencies: Dependencies,
  { graceMs = 5_000, lookEveryMs = 5_000, endWithinMs = 10_000 }: JobOptions = {},
): Promise<Jobs> {
  const { database, log } = dependencies;
  const shares = sharesOf(dependencies);
  let stopping = false;
  let wake: () => void = () => undefined;

  const begin = async (): Promise<{ stop: () => void; sign: Heartbeat; ended: Promise<unknown> }> => {
    const events: WorkerEvents = new EventEmitter();
    const workerIds: string[] = [];
    events.on('pool:create', ({ workerPool }) => workerIds.push(workerPool.id));
    const inHand = new Set<string>();
    events.on('job:start', ({ job }) => inHand.add(job.id));
    events.on('job:complete', ({ job }) => inHand.delete(job.id));
    const runners: Runner[] = [];
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      // It rejects where a runner has already stopped by itself.
      for (const runner of runners) void runner.stop().catch(() => undefined);
    };
    // Where graphile-worker fails to mark jobs as done, it stops. Where that happens twice, it waits forever for a count
    // that has passed zero. Its jobs are then those of a dead worker, and run again.
    const abandoned = Promise.withResolvers<void>();
    const abandonWhenIdle = () => {
      if (inHand.size > 0) setTimeout(abandonWhenIdle, endWithinMs).unref();
      else abandoned.resolve();
    };
    events.once('pool:fatalError', () => {
      stop();
      setTimeout(abandonWhenIdle, endWithinMs).unref();
    });
    // graphile-worker keeps the failure of its first query for good: every worker then gets the same error, whatever
    // the state of the database. Only a new runner queries again.
    const failures = new WeakSet<object>();
    events.on('worker:getJob:error', ({ error }) => {
      if (typeof error !== 'object' || error === null) return;
      if (failures.has(error)) stop();
      failures.add(error);
    });
    const sign = new Heartbeat({
      database,
      log,
      workerIds,
      graceMs,
      lookEveryMs,
      isRunning: (jobId) => inHand.has(jobId),
      // The next runners have other names, so the jobs of these are found to be a dead worker's. Those that they run are
      // finished first.
      onStrayJobs: stop,
    });
    try {
      for (const { tasks, workers, forbiddenFlags = [], crontab = '' } of shares) {
        const runner = await database.runJobQueue({
          taskList: tasks,
          forbiddenFlags,
          crontab,
          concurrency: workers,
          pollInterval: POLL_MS,
          // Stopping waits for finished jobs to be marked only where that is batched. Otherwise a finished job can stay
          // in the queue and run again.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          // The process handles signals itself.
          noHandleSignals: true,
          logger: jobLog(log),
          events,
        });
        runners.push(runner);
        runner.promise.then(stop, stop);
      }
      if (isStopped) stop();
      await sign.start();
    } catch (error) {
      // A runner without an owner would run forever.
      stop();
      await sign.stop();
      throw error;
    }
    const ended = Promise.race([Promise.allSettled(runners.map(({ promise }) => promise)), abandoned.promise]);
    return { stop, sign, ended };
  };

  await enqueueTypedCodes(database);
  let current = await begin();
  const watched = (async () => {
    while (!stopping) {
      await current.ended;
      // One that was abandoned still has its schedule.
      current.stop();
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
    current.stop();
    await current.ended;
    await current.sign.stop();
  })();

  return {
    async stop() {
      if (stopping) return;
      stopping = true;
      wake();
      current.stop();
      await watched;
    },
  };
}
