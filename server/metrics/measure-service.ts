import type { Database } from '#server/postgres/database.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { RELEASE } from '#server/project-root.ts';
import type { Metrics } from './metrics.ts';

/** The queue is read at most this often, however often the metrics are, in milliseconds. */
const READ_EVERY_MS = 10_000;
/**
 * How long a scrape waits for the queue, in milliseconds. A supervisor waits little longer for a whole process, and all of
 * its figures matter most while the database hangs.
 */
const READ_WITHIN_MS = 500;
/** More jobs than these are not counted, so that a scrape costs the same however long the queue is. */
const MOST_COUNTED = 10_000;

interface Parts {
  readonly database: Pick<Database, 'asOwner' | 'usage'>;
  readonly now: () => number;
}

/** Registers what belongs to no single part: the build, the database connections, and the job queue. */
export function measureService(metrics: Metrics, { database, now }: Parts): void {
  const build = { version: RELEASE, node: process.versions.node };
  metrics.gauge({ name: 'reunite_build_info', help: 'Always 1.', labels: Object.keys(build), merge: 'max' }, () => [
    { labels: build, value: 1 },
  ]);
  metrics.gauge(
    { name: 'reunite_database_connections', help: 'Open connections by pool.', labels: ['pool', 'state'] },
    () =>
      database.usage().flatMap(({ pool, busy, idle }) => [
        { labels: { pool, state: 'busy' }, value: busy },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
  );
  metrics.gauge({ name: 'reunite_database_waiting', help: 'Calls that wait for a connection.', labels: ['pool'] }, () =>
    database.usage().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  );
  measureQueue(metrics, { database, now });
}

/** How many jobs are due, and how long the first one has been. */
function measureQueue(metrics: Metrics, { database, now }: Parts): void {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<{ due: number; seconds: number }> | undefined;
  const read = () => {
    if (reading === undefined || now() - readAt > READ_EVERY_MS) {
      readAt = now();
      reading = database
        .asOwner<{ due: number; seconds: number }>({
          name: 'due_jobs',
          text: `select count(*)::int as due, coalesce(extract(epoch from now() - min(run_at)), 0)::float as seconds
            from (
              select run_at from graphile_worker._private_jobs
                where is_available and run_at <= now() order by priority, run_at limit $1
            ) as due`,
          values: [MOST_COUNTED],
        })
        .then(({ rows }) => rows[0] ?? { due: 0, seconds: 0 });
      // A failed read is not kept.
      reading.catch(() => {
        reading = undefined;
      });
    }
    return inTime(reading, READ_WITHIN_MS);
  };
  metrics.gauge(
    { name: 'reunite_jobs_due', help: `Jobs that are due and not running, at most ${MOST_COUNTED}.`, merge: 'max' },
    async () => (await read()).due,
  );
  metrics.gauge(
    { name: 'reunite_jobs_oldest_due_seconds', help: 'How long the oldest of them has been due.', merge: 'max' },
    async () => (await read()).seconds,
  );
}
