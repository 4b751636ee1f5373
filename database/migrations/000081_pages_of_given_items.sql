-- kind: compatible
-- Former owners reach each record of an item that they gave away (docs/decisions/0082-items-change-hands.md).

-- What a former owner reads of the record of an item that they gave away.
create function internal.given_item(item_id_param uuid) returns jsonb
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

-- As before, by the function above.
create or replace function public.list_transfers() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'offers', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'id', offer.id, 'item_type', item.item_type, 'item_name', item.item_name, 'photo', item.photo,
            'giver', internal.first_name(giver.full_name), 'expires_at', offer.expires_at
          ) order by offer.created_at desc, offer.id), '[]')
          from (
            select * from public.item_offers
              where email = (select internal.proved_address()) and giver_id <> (select auth.uid())
                and accepted_at is null and declined_at is null and expires_at > now() and internal.may_give(giver_id)
              order by created_at desc, id limit 100
          ) as offer
          join public.items as item on item.id = offer.item_id
          left join public.profiles as giver on giver.id = offer.giver_id
      ),
      'given', (
        select coalesce(jsonb_agg(internal.given_item(record.id) order by record.given_at desc, record.id desc), '[]')
          from (
            select * from public.items
              where user_id = (select auth.uid()) and given_at is not null
              order by given_at desc, id desc limit 100
          ) as record
      )
    )
  $$;

-- The caller's records of items that they gave away, the newest first, and whether there are more. 100 at once: the next ones
-- are those before the last one's time and id.
create function public.list_given_items(
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

-- One record of the caller's, or null.
create function public.find_given_item(item_id_param uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select internal.given_item(item.id) from public.items as item
      where item.id = item_id_param and item.user_id = (select auth.uid()) and item.given_at is not null
  $$;

grant create on schema public to service_role;
alter function public.list_given_items(timestamptz, uuid) owner to service_role;
alter function public.find_given_item(uuid) owner to service_role;
revoke create on schema public from service_role;
grant execute on function internal.given_item(uuid) to service_role;
grant execute on function public.list_given_items(timestamptz, uuid), public.find_given_item(uuid)
  to authenticated, service_role;
