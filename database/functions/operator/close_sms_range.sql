-- Returns false if they were not held back. Earlier codes no longer count, or they would open the range at once.
create or replace function public.close_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update auth.sms_ranges set open_since = null, by_hand = false, sent_at = '{}', came_back = '{}'
    where number_range = range_param and open_since is not null;
  return found;
end
$$;

grant execute on function public.close_sms_range(text) to service_role;
