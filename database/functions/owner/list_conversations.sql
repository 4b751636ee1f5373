-- The caller's conversations, the one with the newest message first, and whether there are more. 50 at once: the next ones are
-- those before the last one's time and id. Those about items that were given away belong to the former owner, who reads no
-- row of such an item: hence the rights of the service.
create or replace function public.list_conversations(
  before_newest_at_param timestamptz default null, before_id_param uuid default null
) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversations', coalesce(
          jsonb_agg(
            jsonb_build_object(
              'id', conversation.id, 'item_id', item.id, 'qr_id', item.qr_id, 'item_type', item.item_type,
              'item_name', item.item_name, 'photo', item.photo, 'newest_at', conversation.newest_at,
              'is_waiting', conversation.waits_since is not null, 'returned_at', conversation.returned_at,
              'muted_at', conversation.muted_at, 'blocked_at', conversation.blocked_at,
              'is_unread', exists (
                select from public.messages
                  where conversation_id = conversation.id and sender = 'finder' and read_at is null
              ),
              'newest', newest.message
            ) order by conversation.place
          ) filter (where conversation.place <= 50), '[]'
        ),
        'has_more', count(*) > 50
      )
      from (
        select *, row_number() over (order by newest_at desc, id desc) as place
          from public.conversations
          where owner_id = (select auth.uid()) and newest_at is not null
            and (newest_at, id) < (
              coalesce(before_newest_at_param, 'infinity'), coalesce(before_id_param, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            )
          order by newest_at desc, id desc
          limit 51
      ) as conversation
      join public.items as item on item.id = conversation.item_id
      join lateral (
        select jsonb_build_object(
            'sender', sender, 'by_contact', by_contact, 'body', body, 'kind', kind, 'place', place,
            'latitude', latitude::float8, 'longitude', longitude::float8, 'location_exact', location_exact,
            'moment', moment, 'time_zone', time_zone, 'desk', desk, 'amount', amount, 'currency', currency,
            'language', language
          ) as message
          from public.messages where conversation_id = conversation.id order by created_at desc, id desc limit 1
      ) as newest on true
  $$;

grant execute on function public.list_conversations(timestamptz, uuid) to authenticated;
