-- kind: compatible
-- A finder's message may have a photo: a picture in a private bucket, named after the message and owned by the owner who
-- got it. The service writes it, after the message.
alter table public.messages add column photo boolean not null default false;
comment on column public.messages.photo is 'Whether a picture in the bucket message-photos has its id as name.';

insert into storage.buckets (id, name, public, pictures, file_size_limit)
  values ('message-photos', 'message-photos', false, true, 12582912)
  on conflict (id) do update set public = false, pictures = true, file_size_limit = 12582912;

alter policy "owners see their pictures" on storage.objects
  using (bucket_id in ('item-photos', 'avatars', 'message-photos') and owner = (select auth.uid()));

-- What strangers send uses up nothing of the owner's room. It has limits of its own.
create or replace function internal.hold_storage_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  most_objects constant integer := 1000;
  most_bytes bigint := coalesce(nullif(current_setting('reunite.account_storage_bytes', true), ''), '104857600');
  objects integer;
  bytes bigint;
begin
  -- Of two uploads at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('storage of ' || new.owner, 0));
  select count(*), sum(coalesce((object.metadata ->> 'size')::bigint, 0) + (
      select coalesce(sum((rendition ->> 'size')::bigint), 0) from jsonb_array_elements(object.renditions) as rendition
    ))
    into objects, bytes
    from storage.objects as object where object.owner = new.owner and object.bucket_id <> 'message-photos';
  if objects > most_objects or bytes > most_bytes then
    raise exception 'The account has no room left for this' using errcode = 'PT413';
  end if;
  return null;
end
$$;

create or replace trigger objects_hold_quota
  after insert or update of owner, metadata, renditions on storage.objects
  for each row when (new.owner is not null and new.bucket_id <> 'message-photos')
  execute function internal.hold_storage_quota();

create function internal.take_down_message_photo()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $$
begin
  delete from storage.objects where bucket_id = 'message-photos' and name = old.id || '.webp';
  return null;
end
$$;
grant create on schema internal to service_role;
alter function internal.take_down_message_photo() owner to service_role;
revoke create on schema internal from service_role;

create trigger messages_delete_photo
  after delete on public.messages
  for each row when (old.photo)
  execute function internal.take_down_message_photo();

-- An operator may remove a picture alone.
create or replace function internal.forget_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
begin
  update public.items set photo = null where old.bucket_id = 'item-photos' and photo = old.name;
  update public.profiles set avatar = null where old.bucket_id = 'avatars' and avatar = old.name;
  update public.messages set photo = false
    where old.bucket_id = 'message-photos' and id = case
      when old.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp$' then left(old.name, 36)::uuid
    end;
  return null;
end
$$;

create or replace trigger objects_forget_picture
  after delete on storage.objects
  for each row when (old.bucket_id in ('item-photos', 'avatars', 'message-photos'))
  execute function internal.forget_picture();

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
