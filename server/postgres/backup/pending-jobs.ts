import type { Client } from 'pg';
import * as v from 'valibot';

/** A job that waits in the queue, for another queue of any version. */
export const pendingJob = v.object({
  task: v.string(),
  payload: v.unknown(),
  queue: v.nullable(v.string()),
  key: v.nullable(v.string()),
  flags: v.nullable(v.array(v.string())),
  priority: v.number(),
  maxAttempts: v.number(),
  /** How often it was tried. */
  attempts: v.number(),
  /** ISO 8601. */
  runAt: v.string(),
});

export type PendingJob = v.InferOutput<typeof pendingJob>;

/** Returns every job in the queue, with those that are running and those that failed for good. */
export async function readJobs(client: Client): Promise<PendingJob[]> {
  const { rows } = await client.query<PendingJob>(`
    select task.identifier as task, job.payload, queue.queue_name as queue, job.key,
        (select array_agg(flag) from jsonb_object_keys(job.flags) as flag) as flags,
        job.priority, job.max_attempts as "maxAttempts", job.attempts,
        to_char(job.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "runAt"
      from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        left join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id
      order by job.id`);
  return rows;
}

/** Jobs that are no longer run, by task. */
export type DroppedJobs = Readonly<Record<string, number>>;

/**
 * Keeps the jobs whose time has not come, in the transaction of the restored rows, until `queueKeptJobs`. A job whose time
 * has passed, or that was tried before, is dropped: what it sends may have been sent since.
 */
export async function keepJobs(client: Client, jobs: readonly PendingJob[], now: Date): Promise<DroppedJobs> {
  const dropped: Record<string, number> = {};
  const kept = jobs.filter((job) => {
    const isToCome = job.attempts === 0 && Date.parse(job.runAt) > now.getTime();
    if (!isToCome) dropped[job.task] = (dropped[job.task] ?? 0) + 1;
    return isToCome;
  });
  await client.query('create table internal.kept_jobs (job jsonb not null)');
  await client.query('alter table internal.kept_jobs enable row level security, force row level security');
  await client.query('insert into internal.kept_jobs select jsonb_array_elements($1)', [JSON.stringify(kept)]);
  return dropped;
}

/**
 * Queues what `keepJobs` has kept. The library's tables are made after the rows are committed, so a restore can end in
 * between: every start looks. A job whose time has passed by then is dropped.
 */
export async function queueKeptJobs(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('internal.kept_jobs') is not null as exists",
  );
  if (rows[0]?.exists !== true) return;
  // Several statements in one message are one transaction.
  await client.query(`
    select graphile_worker.add_job(job ->> 'task', payload := (job -> 'payload')::json, queue_name := job ->> 'queue',
        run_at := (job ->> 'runAt')::timestamptz, max_attempts := (job ->> 'maxAttempts')::int, job_key := job ->> 'key',
        priority := (job ->> 'priority')::int,
        flags := case jsonb_typeof(job -> 'flags') when 'array' then array(select jsonb_array_elements_text(job -> 'flags')) end)
      from internal.kept_jobs where (job ->> 'runAt')::timestamptz > now();
    drop table internal.kept_jobs;
  `);
}
