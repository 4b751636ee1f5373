-- Saves items of the caller's: changes those whose code is the code of an item, and tags new ones with the others. A
-- field that an element lacks keeps its value. Either all are saved or none. Repeating it changes nothing more. Items
-- are locked in the order of their ids, and new codes in their own order, so that two calls cannot wait for each other.
create or replace function public.save_items(items_param jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_items constant integer := 2000;
  caller uuid := (select auth.uid());
begin
  if jsonb_typeof(items_param) is distinct from 'array' then
    raise exception 'The items are a list' using errcode = '22023';
  end if;
  if jsonb_array_length(items_param) > most_items then
    raise exception 'At most % items are saved at once', most_items using errcode = '22023';
  end if;
  if exists (select from jsonb_array_elements(items_param) as given where jsonb_typeof(given) <> 'object') then
    raise exception 'Each item is an object' using errcode = '22023';
  end if;
  perform from public.items
    where user_id = caller and qr_id in (select given ->> 'qr_id' from jsonb_array_elements(items_param) as given)
    order by id for no key update;
  update public.items as item set
      item_type = case when given ? 'item_type' then given ->> 'item_type' else item.item_type end,
      item_name = case when given ? 'item_name' then given ->> 'item_name' else item.item_name end,
      description = case when given ? 'description' then given ->> 'description' else item.description end,
      note_to_finders = case when given ? 'note_to_finders' then given ->> 'note_to_finders' else item.note_to_finders end,
      reward = case when given ? 'reward' then given ->> 'reward' else item.reward end
    from jsonb_array_elements(items_param) as given
    where item.qr_id = given ->> 'qr_id' and item.user_id = caller;
  insert into public.items (qr_id, user_id, item_type, item_name, description, note_to_finders, reward)
    select given ->> 'qr_id', caller, given ->> 'item_type', given ->> 'item_name', given ->> 'description',
        given ->> 'note_to_finders', given ->> 'reward'
      from jsonb_array_elements(items_param) as given
      where not exists (select from public.items as own where own.qr_id = given ->> 'qr_id' and own.user_id = caller)
      order by given ->> 'qr_id';
end
$$;

grant execute on function public.save_items(jsonb) to authenticated;
