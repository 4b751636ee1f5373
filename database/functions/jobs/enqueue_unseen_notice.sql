-- Enqueues a step for the messages of a conversation that stay unseen. One that waits keeps its time, and so does one
-- that has failed once: `preserve_run_at` keeps it until the first attempt alone.
create or replace function internal.enqueue_unseen_notice(step_param text, conversation_id_param uuid, run_at_param timestamptz)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  job_key_param text := 'notify_of_unseen:' || step_param || ':' || conversation_id_param;
begin
  perform graphile_worker.add_job(
    case step_param when 'sms' then 'notify_of_unseen_by_sms' else 'notify_of_unseen' end,
    pg_catalog.json_build_object('step', step_param, 'conversation_id', conversation_id_param),
    job_key := job_key_param,
    job_key_mode := 'preserve_run_at',
    run_at := least(run_at_param, (
      select job.run_at from graphile_worker.jobs as job where job.key = job_key_param and job.locked_at is null
    )),
    -- The waits grow to six hours: the last attempt is 22 hours after the first.
    max_attempts := 13
  );
end
$$;
