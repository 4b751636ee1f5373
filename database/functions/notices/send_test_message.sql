-- Sends a test to the caller's proved address or number. What becomes of it is in `test_notices`.
create or replace function public.send_test_message(way_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := (select auth.uid());
begin
  if not exists (
    select from auth.users
      where id = caller and deleted_at is null and case way_param
        when 'email' then email is not null
        when 'sms' then phone is not null and phone_confirmed_at is not null
      end
  ) then
    raise exception 'The account has no such way' using errcode = 'PT404';
  end if;
  insert into public.test_notices (user_id, way) values (caller, way_param)
    on conflict (user_id, way) do update set asked_at = now(), outcome = null, codes = null;
  perform internal.enqueue_test_message(caller, way_param);
end
$$;

grant execute on function public.send_test_message(text) to authenticated;
