-- What changes hands with the caller: open offers to the address that they have proved, made by accounts that may give,
-- and their records of items that they gave away. The newest 100 of each.
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

grant execute on function public.list_transfers() to authenticated;
