-- Enqueues a push to one browser: about a message, or as a test.
create or replace function internal.enqueue_push(subscription_id_param uuid, message_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_push',
    pg_catalog.json_build_object('subscription_id', subscription_id_param, 'message_id', message_id_param),
    job_key := 'send_push:' || subscription_id_param || ':' || coalesce(message_id_param::text, 'test'),
    -- Those that have accepted nothing yet, or not the last push, have workers of their own.
    flags := (
      select array['unproved'] from public.push_subscriptions
        where id = subscription_id_param and (delivered_at is null or failures > 0)
    )
  );
end
$$;
