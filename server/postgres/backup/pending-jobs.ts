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
 * Queues the jobs whose time has not come. A job whose time has passed, or that was tried before, is dropped: what it sends
 * may have been sent since.
 */
export async function queueAgain(client: Client, jobs: readonly PendingJob[], now: Date): Promise<DroppedJobs> {
  const dropped: Record<string, number> = {};
  await client.query('begin');
  for (const job of jobs) {
    if (job.attempts > 0 || Date.parse(job.runAt) <= now.getTime()) {
      dropped[job.task] = (dropped[job.task] ?? 0) + 1;
      continue;
    }
    await client.query(
      `select graphile_worker.add_job($1, payload := $2::json, queue_name := $3, run_at := $4, max_attempts := $5,
        job_key := $6, priority := $7, flags := $8)`,
      [job.task, JSON.stringify(job.payload), job.queue, job.runAt, job.maxAttempts, job.key, job.priority, job.flags],
    );
  }
  await client.query('commit');
  return dropped;
}
