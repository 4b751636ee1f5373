-- Notifies an owner of a change of their account, in its transaction. The first of a kind and a session is sent at once. Those that
-- follow within ten minutes, such as of many items that are deleted, are gathered in one. Runs as the account that migrates, which
-- owns the job queue.
create or replace function internal.enqueue_change_notice(
  kind_param text, user_id_param uuid, session_id_param uuid default null, about_param text default null
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  -- The first address of an account is announced to its number.
  has_email boolean := case when kind_param = 'email_changed' then about_param is not null else exists (
    select from auth.users where id = user_id_param and email is not null
  ) end;
  is_first boolean := session_id_param is null or not exists (
    -- The audit log has one entry for all beyond the fiftieth of a day.
    select from auth.audit_log
      where user_id = user_id_param and event = kind_param and session_id = session_id_param and at < pg_catalog.now()
        and (at > pg_catalog.now() - interval '10 minutes' or times > 1 and at > pg_catalog.now() - interval '1 day')
  );
begin
  perform graphile_worker.add_job(
    -- Each has workers of its own.
    'send_change_notice' || case when has_email then '' else '_by_sms' end,
    pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'kind', kind_param, 'user_id', user_id_param, 'session_id', session_id_param,
      'at', pg_catalog.now(), 'about', case when is_first then about_param end
    ),
    job_key := case when is_first then null else 'send_change_notice:' || kind_param || ':' || session_id_param end,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + case when is_first then interval '0' else interval '10 minutes' end
  );
end
$$;
