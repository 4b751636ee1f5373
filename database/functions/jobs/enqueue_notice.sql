-- Enqueues a notice to one address: about a message, or as a test.
create or replace function internal.enqueue_notice(address_id_param uuid, message_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_notice',
    pg_catalog.json_build_object('address_id', address_id_param, 'message_id', message_id_param),
    job_key := 'send_notice:' || address_id_param || ':' || coalesce(message_id_param::text, 'test'),
    -- Those that have accepted nothing yet, or not the last notice, have workers of their own.
    flags := (
      select array['unproved'] from public.notice_addresses
        where id = address_id_param and (delivered_at is null or failures > 0)
    )
  );
end
$$;
