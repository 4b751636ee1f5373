-- Returns false if they were held back already.
create or replace function public.open_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  was_open boolean;
begin
  insert into auth.sms_ranges (number_range) values (range_param) on conflict (number_range) do nothing;
  select open_since is not null into was_open from auth.sms_ranges where number_range = range_param for update;
  update auth.sms_ranges
    set by_hand = true, open_since = coalesce(open_since, now()),
      sent_at = case when was_open then sent_at else '{}' end,
      came_back = case when was_open then came_back else '{}' end
    where number_range = range_param;
  return not was_open;
end
$$;

grant execute on function public.open_sms_range(text) to service_role;
