-- One record of the caller's, or null.
create or replace function public.find_given_item(item_id_param uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select internal.given_item(item.id) from public.items as item
      where item.id = item_id_param and item.user_id = (select auth.uid()) and item.given_at is not null
  $$;

grant execute on function public.find_given_item(uuid) to authenticated;
