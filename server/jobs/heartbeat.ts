import type { ServiceLog } from '#server/log/log.ts';
import type { Database, HeldConnection } from '#server/postgres/database.ts';

export interface HeartbeatOptions {
  readonly database: Pick<Database, 'holdAsOwner'>;
  readonly log: ServiceLog;
  /** The name under which this process locks its jobs. */
  readonly workerId: string;
  /** Younger jobs are left alone: their worker may not hold its lock yet. */
  readonly graceMs: number;
  readonly lookEveryMs: number;
}

/**
 * Frees the jobs of dead workers, which the job queue itself does only after 4 hours.
 *
 * Each process holds an advisory lock, which PostgreSQL releases when its connection ends for any reason. Each
 * regularly looks for jobs whose worker no longer holds its lock.
 */
export class Heartbeat {
  #options: HeartbeatOptions;
  #client: HeldConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Takes the lock, and looks for jobs of dead workers at once. */
  async start(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  /** Releases the lock. The jobs of this process must have finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    this.#giveBack();
  }

  /** Closing the connection releases the lock. */
  #giveBack(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.release(true);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error }, 'Looking for jobs of dead servers failed; it will be retried.'),
        )
        .then(() => this.#schedule());
    }, this.#options.lookEveryMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { workerId, graceMs, log } = this.#options;
    const client = this.#client ?? (await this.#show());
    const { rows } = await client.query<{ holder: string }>(
      `select distinct locked_by as holder from graphile_worker.jobs
        where locked_by <> $1 and locked_at < now() - $2 * interval '1 millisecond'`,
      [workerId, graceMs],
    );
    for (const { holder } of rows) {
      const { rows: taken } = await client.query<{ dead: boolean }>(`select pg_try_advisory_lock(${LOCK}) as dead`, [
        holder,
      ]);
      if (taken[0]?.dead !== true) continue;
      try {
        await client.query('select graphile_worker.force_unlock_workers(array[$1])', [holder]);
        log.warn({ worker: holder }, 'A server died while it ran a job; the job will run again.');
      } finally {
        await client.query(`select pg_advisory_unlock(${LOCK})`, [holder]);
      }
    }
  }

  async #show(): Promise<HeldConnection> {
    const { database, workerId, log } = this.#options;
    const client = await database.holdAsOwner();
    client.once('error', (error) => {
      // The connection also breaks after its release, when the database stops first.
      if (this.#client !== client) return;
      log.debug({ err: error }, 'The heartbeat lock was lost; the next check takes it again.');
      this.#giveBack();
    });
    this.#client = client;
    try {
      await client.query(`select pg_advisory_lock(${LOCK})`, [workerId]);
    } catch (error) {
      this.#giveBack();
      throw error;
    }
    return client;
  }
}

const LOCK = "hashtextextended('job worker ' || $1::text, 0)";
