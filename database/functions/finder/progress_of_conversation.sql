-- What became of the finder's latest message in a conversation: sent, delivered, or seen, which is to the hour, by the
-- owner or a second contact. Null where somebody has replied since, or the owner has the item back.
create or replace function internal.progress_of_conversation(conversation_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'state', case
          when seen.is_disclosed and owner.seen_shown then 'seen'
          when conversation.contacted_at >= latest.created_at then 'contacted'
          when seen.is_disclosed or shown.is_disclosed or conversation.delivered_until >= latest.created_at then 'delivered'
          else 'sent'
        end,
        'seen_at', case when seen.is_disclosed and owner.seen_shown then seen.disclosed_at - interval '1 hour' end
      )
      from (
        select * from public.messages
          where conversation_id = conversation_id_param order by created_at desc, id desc limit 1
      ) as latest
      join public.conversations as conversation on conversation.id = latest.conversation_id
      left join public.profiles as owner on owner.id = conversation.owner_id
      cross join lateral (
        select disclosed_at, disclosed_at <= now() as is_disclosed
          from internal.disclosed_at(latest.read_at, latest.created_at) as disclosed_at
          where latest.read_at is not null
        union all
        select null, false where latest.read_at is null
      ) as seen
      cross join lateral (
        select coalesce(
            conversation.shown_until >= latest.created_at
              and internal.disclosed_at(conversation.shown_at, latest.created_at) <= now(),
            false
          ) as is_disclosed
      ) as shown
      where latest.sender = 'finder' and conversation.returned_at is null
  $$;

alter function internal.progress_of_conversation(uuid) owner to service_role;
