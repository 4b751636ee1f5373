import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import { lockKey } from '#server/postgres/notifications.ts';

export interface HeartbeatOptions {
  readonly database: Pick<Database, 'asOwner' | 'holdLock'>;
  readonly log: ServiceLog;
  /** The names under which this process locks its jobs. */
  readonly workerIds: readonly string[];
  /** Younger jobs are left alone: their worker may not hold its lock yet. */
  readonly graceMs: number;
  readonly lookEveryMs: number;
  /** Whether this process works on the job. */
  isRunning(jobId: string): boolean;
  /** Called where this process holds jobs that it does not work on. It must begin again under other names. */
  onStrayJobs(): void;
}

/** A process whose connection broke has its lock again within this time, in milliseconds. */
const RECONNECTED_MS = 1_000;

/**
 * Frees the jobs of dead workers, which the job queue itself does only after 4 hours.
 *
 * Each process holds an advisory lock for each of its workers' names, which PostgreSQL releases when its connection ends for any reason. Each
 * regularly looks for jobs whose worker no longer holds its lock.
 *
 * It also looks for stray jobs: those that PostgreSQL has given to this process in a response that was lost.
 */
export class Heartbeat {
  #options: HeartbeatOptions;
  #releases: (() => Promise<void>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopping = new AbortController();
  /** The jobs that were stray at the last look. One that has just ended is not marked as done for a moment. */
  #strays: ReadonlySet<string> = new Set();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Takes the locks, and begins to look for jobs of dead workers. */
  async start(): Promise<void> {
    const { database, workerIds } = this.#options;
    for (const workerId of workerIds) this.#releases.push(await database.holdLock(lockOf(workerId)));
    this.#looking = this.#look();
  }

  /** Releases the locks. The jobs of this process must have finished. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    for (const release of this.#releases) await release();
  }

  async #look(): Promise<void> {
    try {
      await this.#freeJobsOfDeadWorkers();
      await this.#findStrayJobs();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Looking for jobs of dead servers failed; it will be retried.');
    }
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, this.#options.lookEveryMs);
    this.#timer.unref();
  }

  async #freeJobsOfDeadWorkers(): Promise<void> {
    const suspects = await this.#withoutLock('select holder from dead', null);
    if (suspects.length === 0) return;
    await pause(RECONNECTED_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    const freed = await this.#withoutLock(
      'select holder, graphile_worker.force_unlock_workers(array[holder]) from dead',
      suspects,
    );
    for (const worker of freed) {
      this.#options.log.warn({ worker }, 'A server died while it ran a job; the job will run again.');
    }
  }

  async #findStrayJobs(): Promise<void> {
    const { database, workerIds, graceMs, isRunning, onStrayJobs } = this.#options;
    const { rows } = await database.asOwner<{ id: string }>({
      text: `select id from graphile_worker.jobs
        where locked_by = any ($1) and locked_at < now() - $2 * interval '1 millisecond'`,
      values: [workerIds, graceMs],
    });
    const strays = rows.map(({ id }) => id).filter((id) => !isRunning(id));
    const areStill = strays.some((id) => this.#strays.has(id));
    this.#strays = new Set(strays);
    if (areStill) onStrayJobs();
  }

  /**
   * Runs a statement about the workers that have jobs and no lock, `dead`, and holds their locks while it runs. Returns
   * those workers.
   */
  async #withoutLock(statement: string, among: readonly string[] | null): Promise<string[]> {
    const { database, workerIds, graceMs } = this.#options;
    const { rows } = await database.asOwner<{ holder: string }>({
      text: `with holders as materialized (
          select distinct locked_by as holder from graphile_worker.jobs
            where locked_by <> all ($1) and locked_at < now() - $2 * interval '1 millisecond'
              and ($3::text[] is null or locked_by = any ($3))
        ), dead as materialized (
          select holder from holders where pg_try_advisory_xact_lock(${lockKey(`'${lockOf('')}' || holder`)})
        )
        ${statement}`,
      values: [workerIds, graceMs, among],
    });
    return rows.map(({ holder }) => holder);
  }
}

/** The name of a worker's lock. */
export function lockOf(workerId: string): string {
  return `job worker ${workerId}`;
}
