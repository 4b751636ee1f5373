-- Sends a test to an address of the caller's.
create or replace function public.send_test_notice(address_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from public.notice_addresses where id = address_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such notice address' using errcode = 'PT404';
  end if;
  perform internal.enqueue_notice(address_id_param, null);
end
$$;

grant execute on function public.send_test_notice(uuid) to authenticated;
