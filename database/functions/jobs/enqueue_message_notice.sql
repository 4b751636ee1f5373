-- In the transaction of the message itself: a message that is there has its notice, and one that is not has none.
-- Runs as whoever migrated, who owns the job queue; so it takes nothing but the id.
create or replace function internal.enqueue_message_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_owner_of_message',
    pg_catalog.json_build_object('message_id', new.id),
    job_key := 'notify_owner_of_message:' || new.id
  );
  return null;
end
$$;
