import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { Heartbeat, type HeartbeatOptions } from '#server/jobs/queue/heartbeat.ts';
import { type Database, openDatabase } from '#server/postgres/database.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const testDatabase = await createTestDatabase();
const [one, other] = [1, 2].map(() => openDatabase({ address: testDatabase.address, log: quietLog }));
if (one === undefined || other === undefined) throw new Error('There are two.');
afterAll(() => Promise.all([one.close(), other.close()]));

async function startHeartbeat(
  database: Database,
  workerId: string,
  { isRunning = () => true, onStrayJobs = () => undefined }: Partial<HeartbeatOptions> = {},
) {
  const heartbeat = new Heartbeat({
    database,
    log: quietLog,
    workerIds: [workerId],
    graceMs: 0,
    lookEveryMs: 20,
    isRunning,
    onStrayJobs,
  });
  await heartbeat.start();
  whenDone(() => heartbeat.stop());
  return heartbeat;
}

/** A job that the worker has taken. */
async function takenBy(workerId: string): Promise<string> {
  const [job] = await testDatabase.query<{ id: string }>(`select id from graphile_worker.add_job('sweep_storage')`);
  await testDatabase.query('update graphile_worker._private_jobs set locked_by = $1, locked_at = now() where id = $2', [
    workerId,
    job?.id,
  ]);
  return job?.id ?? '';
}

async function isTaken(job: string): Promise<boolean | undefined> {
  const [row] = await testDatabase.query<{ taken: boolean }>(
    'select locked_by is not null as taken from graphile_worker.jobs where id = $1',
    [job],
  );
  return row?.taken;
}

test('the jobs of a worker without its lock are freed; those of a worker that holds it are not', async () => {
  const [living, dead] = [`worker-${randomUUID()}`, `worker-${randomUUID()}`];
  await startHeartbeat(one, living);
  const ended = await startHeartbeat(one, dead);
  const jobs = await Promise.all([takenBy(living), takenBy(dead)]);
  await ended.stop();
  await startHeartbeat(other, `worker-${randomUUID()}`);
  await expect.poll(() => Promise.all(jobs.map(isTaken))).toEqual([true, false]);
});

test('a worker whose connection is lost takes its lock again, and keeps its jobs', () =>
  // It has a second for that.
  inSomeAttempt(async () => {
    const mine = `worker-${randomUUID()}`;
    await startHeartbeat(one, mine);
    const job = await takenBy(mine);
    await startHeartbeat(other, `worker-${randomUUID()}`);
    const locks = () =>
      testDatabase.query<{ pid: number }>(
        `select pid from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and objsubid = 1
           and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
        [`job worker ${mine}`],
      );
    const [before] = await locks();
    await testDatabase.query('select pg_terminate_backend($1)', [before?.pid]);
    await expect.poll(async () => (await locks()).filter(({ pid }) => pid !== before?.pid)).toHaveLength(1);
    // As long as two looks of the other worker, with its wait between them.
    await testDatabase.query('select pg_sleep(1.2)');
    expect(await isTaken(job)).toBe(true);
  }));

test('a job that its own process does not work on is found, and one that it works on is not', async () => {
  const mine = `worker-${randomUUID()}`;
  const running = await takenBy(mine);
  let found = 0;
  const count = () => {
    found += 1;
  };
  await startHeartbeat(one, mine, { isRunning: (id) => id === running, onStrayJobs: count });
  // As long as many looks.
  await testDatabase.query('select pg_sleep(0.3)');
  expect(found).toBe(0);
  await takenBy(mine);
  await expect.poll(() => found).toBeGreaterThan(0);
});
