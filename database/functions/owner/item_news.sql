-- What is new about the caller's items: their unread messages as count_unread counts them, and the ids of the items with a
-- finder who waits for a reply. One object, so that the most rows of a response do not cut it.
create or replace function public.item_news() returns json
  language sql stable
  set search_path = ''
  as $$
    select json_build_object(
      'unread', public.count_unread(),
      'waiting', (
        select coalesce(json_agg(distinct item_id), '[]') from public.conversations
          where owner_id = (select auth.uid())
            and waits_since is not null and returned_at is null and blocked_at is null
      )
    )
  $$;

grant execute on function public.item_news() to authenticated;
