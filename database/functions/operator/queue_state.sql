-- How many jobs are due, and those that have failed: of which task, how often, and why. Addresses, numbers, and links
-- are left out of the reason. The migrating account alone reads the queue.
create or replace function internal.queue_state() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'due', (select count(*) from graphile_worker._private_jobs where is_available and run_at <= now()),
      'oldest_due_seconds', (
        select coalesce(extract(epoch from now() - min(run_at)), 0)::integer
          from graphile_worker._private_jobs where is_available and run_at <= now()
      ),
      'failed', (
        select coalesce(jsonb_agg(to_jsonb(failed) order by failed.failed_at desc), '[]')
          from (
            select task.identifier as task, job.attempts, job.attempts < job.max_attempts as is_retried,
                job.run_at as next_at, job.updated_at as failed_at, job.created_at,
                left(regexp_replace(regexp_replace(regexp_replace(job.last_error,
                  '[a-z]+://\S+', '…', 'gi'), '[^\s<>"'']+@[^\s<>"'']+', '…', 'g'), '\+?\d[\d ()-]{6,}\d', '…', 'g'),
                  300) as reason
              from graphile_worker._private_jobs as job
              join graphile_worker._private_tasks as task on task.id = job.task_id
              where job.last_error is not null
              order by job.updated_at desc
              limit 100
          ) as failed
      )
    )
  $$;
