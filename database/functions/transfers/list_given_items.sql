-- The caller's records of items that they gave away, the newest first, and whether there are more. 100 at once: the next ones
-- are those before the last one's time and id.
create or replace function public.list_given_items(
  before_given_at_param timestamptz default null, before_id_param uuid default null
) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'given', coalesce(
          jsonb_agg(internal.given_item(record.id) order by record.place) filter (where record.place <= 100), '[]'
        ),
        'has_more', count(*) > 100
      )
      from (
        select item.id, row_number() over (order by item.given_at desc, item.id desc) as place
          from public.items as item
          where item.user_id = (select auth.uid()) and item.given_at is not null
            and item.given_at <= coalesce(before_given_at_param, 'infinity')
            and (item.given_at < coalesce(before_given_at_param, 'infinity') or item.id < before_id_param)
          order by item.given_at desc, item.id desc
          limit 101
      ) as record
  $$;

grant execute on function public.list_given_items(timestamptz, uuid) to authenticated;
