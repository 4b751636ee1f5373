-- Deletes the caller's record of an item that they gave away, with its conversations. Repeating it changes nothing.
create or replace function public.delete_given_item(item_id_param uuid) returns void
  language sql security definer
  set search_path = ''
  as $$
    delete from public.items where id = item_id_param and user_id = (select auth.uid()) and given_at is not null
  $$;

grant execute on function public.delete_given_item(uuid) to authenticated;
