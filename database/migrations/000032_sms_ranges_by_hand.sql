-- kind: compatible
-- Operators hold SMS to a range of numbers back, and let them go out again.

-- Returns false if they were held back already.
create function public.open_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  insert into auth.sms_ranges as kept (number_range, open_since) values (range_param, pg_catalog.now())
    on conflict (number_range) do update
      set open_since = excluded.open_since, sent_at = '{}', came_back = '{}', last_sent_at = excluded.last_sent_at
      where kept.open_since is null;
  return found;
end
$$;
grant execute on function public.open_sms_range(text) to service_role;

-- Returns false if they were not held back. Earlier codes no longer count, or they would open the range at once.
create function public.close_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update auth.sms_ranges set open_since = null, sent_at = '{}', came_back = '{}'
    where number_range = range_param and open_since is not null;
  return found;
end
$$;
grant execute on function public.close_sms_range(text) to service_role;
