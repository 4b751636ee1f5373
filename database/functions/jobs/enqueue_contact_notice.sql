-- Enqueues the notice of a second contact about the messages of a conversation that stay unseen. One that waits keeps its
-- time, unless `mode_param` is 'replace'. Runs as the account that migrates, which owns the job queue.
create or replace function internal.enqueue_contact_notice(
  contact_id_param uuid, conversation_id_param uuid, run_at_param timestamptz, mode_param text default 'preserve_run_at'
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_second_contact' || internal.way_of_contact(contact_id_param),
    pg_catalog.json_build_object('contact_id', contact_id_param, 'conversation_id', conversation_id_param),
    job_key := 'notify_second_contact:' || contact_id_param || ':' || conversation_id_param,
    job_key_mode := mode_param,
    run_at := run_at_param,
    max_attempts := 13
  );
end
$$;
