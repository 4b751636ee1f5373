-- What a link shows: the owner's first name, what the contact chose, and of a conversation its item and thread. Nothing
-- else of the owner. Null for a link that opens nothing.
create or replace function internal.read_as_contact(token_hash_param bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $$
    select jsonb_build_object(
        'owner_first_name', internal.first_name(profile.full_name),
        'for_all', contact.for_all,
        'has_agreed', contact.agreed_at is not null,
        'has_left', contact.left_at is not null,
        'quiet_from', to_char(contact.quiet_from, 'HH24:MI'),
        'quiet_to', to_char(contact.quiet_to, 'HH24:MI'),
        'time_zone', contact.time_zone,
        'conversation', case when conversation.id is not null then jsonb_build_object(
          'id', conversation.id,
          'item_type', item.item_type,
          'item_name', item.item_name,
          'is_open', conversation.blocked_at is null and conversation.returned_at is null and item.given_at is null,
          'messages', (
            select jsonb_agg(jsonb_build_object(
                'id', message.id,
                'sender', case when message.by_contact then 'contact' else message.sender end,
                'body', message.body, 'sent_at', message.created_at,
                'kind', message.kind, 'place', message.place, 'photo', message.photo,
                'moment', message.moment, 'time_zone', message.time_zone, 'desk', message.desk,
                'amount', message.amount, 'currency', message.currency, 'language', message.language,
                'location', case when message.latitude is not null then jsonb_build_object(
                  'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
                  'exact', message.location_exact
                ) end
              ) order by message.created_at, message.id)
              from (
                select * from public.messages
                  where conversation_id = conversation.id order by created_at desc, id desc limit 100
              ) as message
          )
        ) end
      )
      from internal.contact_links as link
      join public.second_contacts as contact on contact.id = link.contact_id
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      left join public.conversations as conversation
        on conversation.id = link.conversation_id and conversation.owner_id = contact.owner_id
          and contact.agreed_at is not null and contact.left_at is null
      left join public.items as item on item.id = conversation.item_id
      where link.token_hash = token_hash_param
        and (link.conversation_id is null or conversation.id is not null or contact.left_at is not null)
  $$;
