-- One object, so that the most rows of a response do not cut it.
create or replace function public.count_unread() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(item_id, unread), '{}') from (
      select item_id, count(*) as unread from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by item_id
    ) as counted
  $$;

grant execute on function public.count_unread() to authenticated, service_role;
