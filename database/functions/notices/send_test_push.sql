-- Sends a test to a browser of the caller's.
create or replace function public.send_test_push(subscription_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from public.push_subscriptions where id = subscription_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such device' using errcode = 'PT404';
  end if;
  perform internal.enqueue_push(subscription_id_param, null);
end
$$;

grant execute on function public.send_test_push(uuid) to authenticated;
