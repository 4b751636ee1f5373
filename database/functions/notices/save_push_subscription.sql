-- Stores the subscription of the caller's session, in place of an earlier one of the same session or of the same browser.
-- An account has 10; beyond that the least recently used ones are removed.
create or replace function public.save_push_subscription(
  endpoint_param text, p256dh_param text, auth_param text, server_key_param text
) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_subscriptions constant integer := 10;
  session record;
  saved uuid;
begin
  select own.id, own.user_id, own.device into session
    from auth.sessions as own
    where own.id::text = (select auth.jwt()) ->> 'session_id' and own.user_id = (select auth.uid())
    for key share;
  if not found then
    raise exception 'Only a session has notifications' using errcode = '42501';
  end if;
  -- Subscriptions of one account are counted one after another.
  perform from public.profiles where id = session.user_id for no key update;
  -- The same browser, signed in anew. Who knows its secret is that browser.
  delete from public.push_subscriptions
    where endpoint = endpoint_param and auth = auth_param and session_id <> session.id;
  insert into public.push_subscriptions as subscription
      (user_id, session_id, device, endpoint, p256dh, auth, server_key)
    values (session.user_id, session.id, session.device, endpoint_param, p256dh_param, auth_param, server_key_param)
    on conflict (session_id) do update
      set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key,
        failures = case when subscription.endpoint = excluded.endpoint then subscription.failures else 0 end,
        retry_at = case when subscription.endpoint = excluded.endpoint then subscription.retry_at end,
        -- One that had ended has another day.
        failing_since = case
          when subscription.endpoint = excluded.endpoint and subscription.ended_at is null then subscription.failing_since
        end,
        attempted_at = case when subscription.endpoint = excluded.endpoint then subscription.attempted_at end,
        last_status = case when subscription.endpoint = excluded.endpoint then subscription.last_status end,
        ended_at = null
    returning subscription.id into saved;
  delete from public.push_subscriptions where id in (
    select id from public.push_subscriptions
      where user_id = session.user_id and id <> saved
      order by ended_at is null desc, coalesce(delivered_at, created_at) desc
      offset most_subscriptions - 1
  );
  return saved;
end
$$;

grant execute on function public.save_push_subscription(text, text, text, text) to authenticated;
