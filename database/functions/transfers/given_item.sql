-- What a former owner reads of the record of an item that they gave away.
create or replace function internal.given_item(item_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'id', record.id, 'item_type', record.item_type, 'item_name', record.item_name, 'given_at', record.given_at,
        'email', (select email from public.item_offers where item_id = record.id and accepted_at is not null limit 1),
        'has_messages', exists (select from public.messages where item_id = record.id)
      )
      from public.items as record where record.id = item_id_param
  $$;
