-- The ranges whose SMS are held back, the longest first, for the operator.
create or replace function public.list_open_sms_ranges() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(
        jsonb_build_object(
          'number_range', open_range.number_range, 'open_since', open_range.open_since,
          'trials', cardinality(open_range.sent_at),
          'came_back', cardinality(array_positions(open_range.came_back, true))
        ) order by open_range.open_since
      ), '[]')
      from (
        select * from auth.sms_ranges where open_since is not null order by open_since limit 1000
      ) as open_range
  $$;

grant execute on function public.list_open_sms_ranges() to service_role;
