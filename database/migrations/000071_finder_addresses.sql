-- kind: compatible
-- A finder leaves an email address to be told of replies (docs/decisions/0085-emails-to-finders.md).

create table internal.finder_addresses (
  conversation_id uuid primary key references public.conversations on delete cascade,
  id uuid not null unique default gen_random_uuid(),
  address text not null check (char_length(address) between 3 and 254),
  qr_id text not null,
  language text not null,
  proved_at timestamptz,
  expires_at timestamptz not null,
  reply_id uuid,
  notified_at timestamptz
);
comment on table internal.finder_addresses is 'The email addresses of finders. Neither the owner nor an export may have them.';
comment on column internal.finder_addresses.id is 'Stands for the address in links, which end with it. Another address has another one.';
comment on column internal.finder_addresses.qr_id is 'The tag code of the page on which it was left: an item''s own code or a further one.';
comment on column internal.finder_addresses.expires_at is 'When it is deleted: a day after it was left, or 90 days after the latest message once it is proved.';
comment on column internal.finder_addresses.reply_id is 'The first reply since the finder has last looked; null where there is none.';
comment on column internal.finder_addresses.notified_at is 'When an email about these replies left.';
create index finder_addresses_expiry on internal.finder_addresses (expires_at);

-- No policies: only the service reads it.
alter table internal.finder_addresses enable row level security;
alter table internal.finder_addresses force row level security;
grant select, insert, update, delete on internal.finder_addresses to service_role;

-- Enqueues the email that asks whether an address is the finder's. Several at once are one.
create function internal.enqueue_finder_proof(address_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'prove_finder_address',
    pg_catalog.json_build_object('address_id', address_id_param, 'request_id', pg_catalog.gen_random_uuid()),
    job_key := 'prove_finder_address:' || address_id_param
  );
end
$$;

-- Enqueues the email about replies. A minute later, because a finder who watches the page needs none.
create function internal.enqueue_reply_notice(conversation_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_finder_of_reply',
    pg_catalog.json_build_object('conversation_id', conversation_id_param),
    job_key := 'notify_finder_of_reply:' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + interval '1 minute'
  );
end
$$;

-- Stores the address of a conversation's finder, in place of an earlier one, and enqueues the email that asks for its proof.
-- The same address keeps its id, so earlier links stay valid, and its proof. Returns whether the conversation exists.
create function internal.leave_finder_address(
  conversation_id_param uuid, address_param text, qr_id_param text, language_param text
) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  -- Before its address, as the owner's deletion and replies do.
  perform from public.conversations where id = conversation_id_param for key share;
  if not found then
    return false;
  end if;
  -- An expired one is gone, and so are its links.
  delete from internal.finder_addresses where conversation_id = conversation_id_param and expires_at < now();
  insert into internal.finder_addresses as earlier (conversation_id, address, qr_id, language, expires_at)
    values (conversation_id_param, address_param, qr_id_param, language_param, now() + interval '1 day')
    on conflict (conversation_id) do update set
      id = case when earlier.address = excluded.address then earlier.id else excluded.id end,
      address = excluded.address,
      qr_id = excluded.qr_id,
      language = excluded.language,
      proved_at = case when earlier.address = excluded.address then earlier.proved_at end,
      expires_at = case
        when earlier.address = excluded.address then greatest(earlier.expires_at, excluded.expires_at)
        else excluded.expires_at
      end,
      notified_at = case when earlier.address = excluded.address then earlier.notified_at end
    returning * into kept;
  if kept.proved_at is null then
    perform internal.enqueue_finder_proof(kept.id);
  end if;
  return true;
end
$$;

-- Returns the address that was proved by this call; null where it is gone, expired, or proved already.
create function internal.prove_finder_address(address_id_param uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
declare
  proved internal.finder_addresses;
begin
  update internal.finder_addresses
    set proved_at = now(), expires_at = now() + interval '90 days'
    where id = address_id_param and proved_at is null and expires_at >= now()
    returning * into proved;
  -- The owner may have replied meanwhile.
  if proved.reply_id is not null then
    perform internal.enqueue_reply_notice(proved.conversation_id);
  end if;
  return proved.address;
end
$$;

-- The finder has looked at the conversation and was shown these messages. Replies that came in this moment stay to be
-- notified of.
create function internal.look_at_conversation(conversation_id_param uuid, shown_param uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  -- Waits for a reply that is being written, so that the statements below see it.
  perform from internal.finder_addresses where conversation_id = conversation_id_param for no key update;
  update internal.finder_addresses set
      notified_at = null,
      reply_id = (
        select reply.id from public.messages as reply
          where reply.conversation_id = conversation_id_param and reply.sender = 'owner'
            and reply.id <> all (shown_param)
            and reply.created_at >= (select min(created_at) from public.messages where id = any (shown_param))
          order by reply.created_at, reply.id
          limit 1
      )
    where conversation_id = conversation_id_param and reply_id is not null
    returning * into kept;
  if kept.reply_id is not null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(conversation_id_param);
  end if;
end
$$;

-- Of the replies since the finder has last looked, the first one is announced. Any message keeps the address for longer.
create function internal.note_message_for_finder() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  update internal.finder_addresses set
      expires_at = case when proved_at is null then expires_at else now() + interval '90 days' end,
      reply_id = case when new.sender = 'owner' then coalesce(reply_id, new.id) else reply_id end
    where conversation_id = new.conversation_id and expires_at >= now()
    returning * into kept;
  if kept.reply_id = new.id and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(new.conversation_id);
  end if;
  return null;
end
$$;
create trigger messages_note_for_finder after insert on public.messages
  for each row execute function internal.note_message_for_finder();

-- As before, and whether the service waits for the finder to look.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'by_further_code', opened.qr_id <> qr_id_param,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'awaits_look', exists (
          select from internal.finder_addresses where conversation_id = opened.id and reply_id is not null
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

-- As before, and the addresses of the item's finders are deleted.
create or replace function internal.move_item(item_id_param uuid, new_owner uuid) returns uuid
  language plpgsql
  set search_path = ''
  as $$
declare
  item public.items;
  code text;
  further_codes text[];
  moved_id uuid;
begin
  select * into item from public.items where id = item_id_param;
  code := item.qr_id;
  further_codes := array(select qr_id from public.qr_codes where stands_for = code);
  -- In one order, and held against an operator who voids them in this moment.
  perform from public.qr_codes where qr_id = any (further_codes || code) order by qr_id for no key update;
  if internal.is_void(code) then
    raise exception 'The code of this item is void' using errcode = 'PT423';
  end if;

  -- Whoever has a key writes to the new owner from now on. What the former owner blocked stays blocked for them.
  perform from public.conversations where item_id = item.id order by id for no key update;
  insert into internal.blocked_keys (owner_id, key_hash)
    select conversation.owner_id, known.key_hash
      from public.conversations as conversation
      cross join lateral (
        select conversation.finder_key_hash as key_hash where conversation.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = conversation.id
      ) as known
      where conversation.item_id = item.id and conversation.blocked_at is not null
    on conflict do nothing;
  delete from internal.return_keys as return_key
    using public.conversations as conversation
    where conversation.item_id = item.id and return_key.conversation_id = conversation.id;
  update public.conversations set finder_key_hash = null where item_id = item.id and finder_key_hash is not null;
  -- Its finders open these conversations no more, so no email leads there.
  delete from internal.finder_addresses as kept
    using public.conversations as conversation
    where conversation.item_id = item.id and kept.conversation_id = conversation.id;

  -- The item first, then its codes: a further code stands for the code of an item of its owner.
  update public.items
    set qr_id = null, given_at = now(), photo = null, lost_at = null, description = null, note_to_finders = null, reward = null
    where id = item.id;
  update storage.objects set owner = new_owner, owner_id = new_owner::text
    where bucket_id = 'item-photos' and name = item.photo;
  update public.qr_codes set owner_id = new_owner where qr_id = code;
  insert into public.items (qr_id, user_id, item_type, item_name, description, photo)
    values (code, new_owner, item.item_type, item.item_name, item.description, item.photo)
    returning id into moved_id;
  update public.qr_codes set owner_id = new_owner where qr_id = any (further_codes);
  return moved_id;
end
$$;

grant create on schema internal to service_role;
alter function internal.note_message_for_finder() owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.enqueue_finder_proof(uuid), internal.enqueue_reply_notice(uuid),
  internal.leave_finder_address(uuid, text, text, text), internal.prove_finder_address(uuid),
  internal.look_at_conversation(uuid, uuid[]) to service_role;
