import type { ServiceLog } from '#server/log.ts';

/** What is used of a pool of connections and of one that is held. */
interface Connections {
  connect(): Promise<Connection>;
}
interface Connection {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  once(event: 'error', listener: (error: Error) => void): unknown;
  release(destroy: boolean): void;
}

export interface SignOfLifeOptions {
  /** Connections as the account that owns the job queue. */
  readonly pool: Connections;
  readonly log: ServiceLog;
  /** The name under which this process locks its jobs. */
  readonly workerId: string;
  /** A job younger than this is left alone: whoever took it may not have shown its sign yet. */
  readonly graceMs: number;
  readonly lookEveryMs: number;
}

/**
 * The job queue itself gives a killed worker's jobs back after 4 hours only. So each process holds an advisory lock
 * for as long as it lives, which PostgreSQL lets go of when its connection ends, however it ended; and looks now and
 * then for jobs whose holder has no lock any more, to free them for the living.
 */
export class SignOfLife {
  #options: SignOfLifeOptions;
  #client: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SignOfLifeOptions) {
    this.#options = options;
  }

  /** Shows the sign, and looks at once for jobs of the dead. */
  async start(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  /** Takes the sign away; the jobs of this process must be done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    this.#giveBack();
  }

  /** Ending the connection lets go of the lock. */
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
          this.#options.log.warn({ err: error }, 'Jobs of dead servers could not be looked for.'),
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
        log.warn({ worker: holder }, 'A server ended in the middle of a job; the job is done again.');
      } finally {
        await client.query(`select pg_advisory_unlock(${LOCK})`, [holder]);
      }
    }
  }

  async #show(): Promise<Connection> {
    const { pool, workerId, log } = this.#options;
    const client = await pool.connect();
    client.once('error', (error) => {
      // It also breaks after it was given back, when the database stops before the connection has closed.
      if (this.#client !== client) return;
      log.debug({ err: error }, 'The sign of life was lost; the next look shows it again.');
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
