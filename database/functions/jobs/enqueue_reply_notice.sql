-- Enqueues the email about replies. A minute later, because a finder who watches the page needs none.
create or replace function internal.enqueue_reply_notice(conversation_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_finder_of_reply',
    pg_catalog.json_build_object('conversation_id', conversation_id_param),
    job_key := 'notify_finder_of_reply:' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + interval '1 minute'
  );
end
$$;
