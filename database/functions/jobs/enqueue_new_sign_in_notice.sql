-- The mail about a sign-in on a new device is on its way exactly if there was one. Runs as whoever migrated, who
-- owns the job queue.
create or replace function internal.enqueue_new_sign_in_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_new_sign_in' || case
      when exists (select from auth.users where id = new.user_id and email is not null) then '' else '_by_sms'
    end,
    pg_catalog.json_build_object('user_id', new.user_id, 'session_id', new.id),
    job_key := 'notify_new_sign_in:' || new.id
  );
  return null;
end
$$;
