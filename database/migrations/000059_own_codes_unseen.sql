-- kind: compatible
-- A finder with a further code never learns the item's own code: the owner may have detached the further one to be rid of
-- them. And nearly all codes have neither a batch nor stand for another, so the indexes leave them out.

drop index public.qr_codes_stands_for;
create index qr_codes_stands_for on public.qr_codes (stands_for) where stands_for is not null;
drop index public.qr_codes_batch;
create unique index qr_codes_batch on public.qr_codes (batch_id, batch_place) where batch_id is not null;

-- As before, and whether it was found by a further code, in place of the item's own code.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text)
  returns jsonb
  language sql
  stable security definer
  set search_path = ''
  as $$
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
            'id', message.id, 'sender', message.sender, 'body', message.body, 'sent_at', message.created_at,
            'kind', message.kind, 'place', message.place,
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

-- As before, and a code that works becomes the item's own rather than a void one.
create or replace function public.detach_qr_code(qr_id_param text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  item public.items;
  further_codes text[];
begin
  select * into item from public.items
    where id = (select id from public.items where qr_id = internal.own_code_of_item(qr_id_param))
      and user_id = (select auth.uid())
    for update;
  -- Asked again, because another call may have changed the item's codes before this one had the lock.
  if not found or internal.own_code_of_item(qr_id_param) <> item.qr_id then
    raise exception 'No item of yours has this code' using errcode = 'PT404';
  end if;
  if item.qr_id = qr_id_param then
    further_codes := array(
      select qr_id from public.qr_codes where stands_for = item.qr_id order by voided_at is not null, claimed_at, qr_id
    );
    if further_codes = '{}' then
      raise exception 'An item keeps its only code' using errcode = 'PT409';
    end if;
    update public.qr_codes set stands_for = null where qr_id = any (further_codes);
    update public.items set qr_id = further_codes[1] where id = item.id;
    update public.qr_codes set stands_for = further_codes[1] where qr_id = any (further_codes[2:]);
  end if;
  perform internal.free_codes(array[qr_id_param]);
end
$$;

-- As before, read by its primary key: the index above would also fit, and is read whole.
create or replace function internal.refuse_further_code()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if (select stands_for from public.qr_codes where qr_id = new.qr_id) is not null then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;
