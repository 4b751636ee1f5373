-- The conversation about the item with this code whose key or return key the caller holds, oldest message first, at
-- most the last 100; null without one. It leaves no trace of being read. The holder of a key also gets the
-- conversation's id, the item's own code, and the hash of the return key in hexadecimal, null until the return code was
-- shown: the service derives the code from these. It does not say whether the service waits for the finder to look: an
-- owner has keys of conversations too.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'by_further_code', opened.qr_id <> qr_id_param,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id, item.qr_id
          from public.items as item where item.qr_id = internal.own_code_of_item(qr_id_param)
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', case when message.by_contact then 'contact' else message.sender end,
            'body', message.body, 'sent_at', message.created_at,
            'kind', message.kind, 'place', message.place, 'photo', message.photo,
            'moment', message.moment, 'time_zone', message.time_zone, 'desk', message.desk,
            'amount', message.amount, 'currency', message.currency, 'language', message.language,
            'location', case when message.latitude is not null then jsonb_build_object(
              'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
              'exact', message.location_exact
            ) end
          ) order by message.created_at, message.id) as shown
          from (
            select * from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $$;

grant execute on function public.read_conversation(text, text) to anon, authenticated;
