-- The number of unread messages by item, the item with the newest of them first. One object, so that the most rows of a
-- response do not cut it; `json` keeps the order.
drop function if exists public.count_unread();
create or replace function public.count_unread() returns json
  language sql stable
  set search_path = ''
  as $$
    select coalesce(json_object_agg(item_id, unread order by newest desc), '{}') from (
      select item_id, count(*) as unread, max(created_at) as newest from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by item_id
    ) as counted
  $$;

grant execute on function public.count_unread() to authenticated;
