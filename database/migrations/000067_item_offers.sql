-- kind: compatible
-- An item can be given to another account (docs/decisions/0082-items-change-hands.md). The new owner gets an item with all codes;
-- the former owner keeps a record of it without any, to which the conversations belong.

alter table public.items
  alter column qr_id drop not null,
  add column given_at timestamptz,
  add constraint items_code_until_given check ((qr_id is null) = (given_at is not null)) not valid;
alter table public.items validate constraint items_code_until_given;
create index items_given on public.items (user_id, given_at desc) where given_at is not null;
create index items_given_age on public.items (given_at) where given_at is not null;
comment on column public.items.given_at is 'When it was given to another account. The row is then its former owner''s record, which clients do not read.';

create table public.item_offers (
  id uuid primary key default gen_random_uuid(),
  giver_id uuid not null references auth.users on delete cascade,
  item_id uuid not null references public.items on delete cascade,
  email text check (
    char_length(email) <= 254
    and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'
  ),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  declined_at timestamptz,
  accepted_at timestamptz,
  received_id uuid references public.items on delete set null,
  constraint item_offers_address_until_acceptance check (email is not null or accepted_at is not null),
  constraint item_offers_one_end check (num_nonnulls(declined_at, accepted_at) <= 1),
  constraint item_offers_received_with_acceptance check (received_id is null or accepted_at is not null)
);
comment on table public.item_offers is 'Items that are offered to the reader of an address.';
comment on column public.item_offers.item_id is 'The item of the giver; after the acceptance, their record of it.';
comment on column public.item_offers.email is 'The address that accepts it, in the form in which auth.users has it. Null once its account is deleted.';
comment on column public.item_offers.received_id is 'After the acceptance, the item of the new owner.';
create unique index item_offers_pending on public.item_offers (item_id) where accepted_at is null;
create index item_offers_item on public.item_offers (item_id);
create index item_offers_giver on public.item_offers (giver_id);
create index item_offers_email on public.item_offers (email);
create index item_offers_received on public.item_offers (received_id) where received_id is not null;
create index item_offers_expires on public.item_offers (expires_at);

alter table public.item_offers enable row level security;
alter table public.item_offers force row level security;
create policy "owners read their own offers" on public.item_offers
  for select to authenticated using (giver_id = (select auth.uid()));
create policy "owners cancel their own offers" on public.item_offers
  for delete to authenticated using (giver_id = (select auth.uid()) and accepted_at is null);
grant select (id, giver_id, item_id, email, created_at, expires_at, declined_at, accepted_at), delete
  on public.item_offers to authenticated;
grant select, insert, update, delete on public.item_offers to service_role;

-- For their clients, items are those that they own now.
alter policy "owners read their own items" on public.items
  using (user_id = (select auth.uid()) and given_at is null);
alter policy "owners change their own items" on public.items
  using (user_id = (select auth.uid()) and given_at is null)
  with check (user_id = (select auth.uid()) and given_at is null);
alter policy "owners delete their own items" on public.items
  using (user_id = (select auth.uid()) and given_at is null);

-- The photo of an item that is given away belongs to the new owner.
drop trigger items_replace_photo on public.items;
create trigger items_replace_photo after update of photo on public.items for each row
  when (old.photo is not null and old.photo is distinct from new.photo and new.given_at is null)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');

-- As before, without records of items that were given away: they have no room to take.
create or replace function internal.hold_items_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := auth.uid();
begin
  if caller is null or not exists (select from added where user_id = caller) then
    return null;
  end if;
  -- Of two inserts at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('items of ' || caller, 0));
  if exists (
    select from public.items where user_id = caller and given_at is null order by created_at desc offset most limit 1
  ) then
    raise exception 'The account has no room left for another item' using errcode = 'PT413';
  end if;
  return null;
end
$$;

-- As before, but an item without a code has no page.
create or replace function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name = 'items' then
    if coalesce(old.qr_id, new.qr_id) is not null then
      perform pg_notify('item_changed', concat_ws(' ', old.qr_id, nullif(new.qr_id, old.qr_id), (
        select string_agg(qr_id, ' ') from public.qr_codes where stands_for in (old.qr_id, new.qr_id)
      )));
    end if;
  elsif tg_table_name = 'qr_codes' then
    perform pg_notify('item_changed', new.qr_id);
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    -- A hundred codes have 6,499 characters at most, and a payload 7,999.
    perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
      select qr_id, (row_number() over () - 1) / 100 as payload from (
        select qr_id from public.items where user_id = coalesce(new.id, old.id) and qr_id is not null
        union
        select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
      ) as code
    ) as shown group by payload;
  end if;
  return null;
end
$$;

-- As before, but not about an item that was given away: its finders no longer read what its former owner writes.
create or replace function public.send_reply(
  conversation_id_param uuid, body_param text, message_id_param uuid default gen_random_uuid()
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  trimmed text := internal.trim_message(body_param);
  conversation public.conversations;
  message public.messages;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;

  -- Held against deletion until the answer is in.
  select * into conversation from public.conversations
    where id = conversation_id_param and owner_id = (select auth.uid()) for key share;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  -- Held, so that the item is not given away meanwhile. A reply that is stored already is confirmed below.
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found and not exists (select from public.messages where id = message_id_param) then
    raise exception 'The item belongs to another account now' using errcode = 'PT409';
  end if;

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (
      coalesce(message_id_param, gen_random_uuid()), conversation.id, conversation.item_id, conversation.owner_id,
      'owner', trimmed
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if message.conversation_id is distinct from conversation.id or message.body is distinct from trimmed
        or message.sender <> 'owner' then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

-- As before, but not to a record.
create or replace function public.attach_qr_code(qr_id_param text, item_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_codes constant integer := 20;
  item public.items;
begin
  -- Of two stickers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = (select auth.uid()) and given_at is null for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  -- Takes the row lock of the code, which a tagger at the same time waits for.
  perform public.register_qr_code(qr_id_param, item.user_id);
  if internal.own_code_of_item(qr_id_param) = item.qr_id then
    return;
  end if;
  if exists (select from public.items where qr_id = internal.own_code_of_item(qr_id_param)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  update public.qr_codes set stands_for = item.qr_id where qr_id = qr_id_param;
  if exists (select from public.qr_codes where stands_for = item.qr_id offset most_codes - 1 limit 1) then
    raise exception 'The item has no room left for another sticker' using errcode = 'PT409';
  end if;
end
$$;

-- Nothing keeps the address of a deleted account: what was offered to it ends.
create function internal.forget_offers_to_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from public.item_offers where email = old.email and accepted_at is null;
  update public.item_offers set email = null where email = old.email;
  return null;
end
$$;
create trigger users_forget_offers after delete on auth.users for each row when (old.email is not null)
  execute function internal.forget_offers_to_account();
create trigger users_forget_offers_when_marked after update of deleted_at on auth.users for each row
  when (old.email is not null and old.deleted_at is null and new.deleted_at is not null)
  execute function internal.forget_offers_to_account();

-- The address that the caller's account has proved, or null. Offers belong to no other.
create function internal.proved_address() returns text
  language sql stable
  set search_path = ''
  as $$
    select email from auth.users
      where id = (select auth.uid()) and email_confirmed_at is not null and deleted_at is null
  $$;

-- Enqueues an email about an offer: to the address that it was made to, or to the giver after the acceptance.
create function internal.enqueue_offer_mail(offer_id_param uuid, about_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object('offer_id', offer_id_param, 'about', about_param),
    job_key := 'send_offer_mail:' || about_param || ':' || offer_id_param
  );
end
$$;

-- Offers an item of the caller's to an address, and returns the offer's id and when it expires. Whether the address has an
-- account is never looked at. Repeating it changes nothing. An account has 20 open offers at most, and an item has one.
create function public.offer_item(item_id_param uuid, email_param text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_offers constant integer := 20;
  caller uuid := (select auth.uid());
  address text := lower(btrim(email_param));
  account auth.users;
  item public.items;
  offer public.item_offers;
begin
  select * into account from auth.users where id = caller and deleted_at is null;
  if account.confirmed_at is null or account.is_anonymous then
    raise exception 'Only a confirmed account can offer an item' using errcode = '42501';
  end if;
  if address is null or address in (account.email, account.claimed_email) then
    raise exception 'An item is offered to the address of somebody else' using errcode = '22023';
  end if;
  -- Of two offers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = caller and given_at is null for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  if internal.is_void(item.qr_id) then
    raise exception 'The code of this item is void' using errcode = 'PT423';
  end if;
  delete from public.item_offers
    where item_id = item.id and accepted_at is null and (declined_at is not null or expires_at <= now());
  select * into offer from public.item_offers where item_id = item.id and accepted_at is null;
  if not found then
    -- Offers of one account are counted one after another.
    perform pg_advisory_xact_lock(hashtextextended('offers of ' || caller, 0));
    if exists (
      select from public.item_offers
        where giver_id = caller and accepted_at is null and declined_at is null and expires_at > now()
        offset most_offers - 1 limit 1
    ) then
      raise exception 'An account has at most % open offers', most_offers using errcode = 'PT413';
    end if;
    begin
      insert into public.item_offers (giver_id, item_id, email) values (caller, item.id, address) returning * into offer;
    exception when check_violation then
      raise exception 'This is no email address' using errcode = '22023';
    end;
    perform internal.record_event('item_offered', caller, (auth.jwt() ->> 'session_id')::uuid);
    perform internal.enqueue_offer_mail(offer.id, 'offer');
  elsif offer.email <> address then
    raise exception 'This item is offered to somebody else already' using errcode = 'PT409';
  end if;
  return jsonb_build_object('id', offer.id, 'expires_at', offer.expires_at);
end
$$;

-- Declines an offer to an address that the caller has proved. Repeating it changes nothing.
create function public.decline_offer(offer_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.item_offers set declined_at = coalesce(declined_at, now())
    where id = offer_id_param and email = (select internal.proved_address()) and accepted_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
end
$$;

-- Moves an item with all of its codes and its photo to another account, and returns the id of the new owner's item. The old
-- row stays as the former owner's record: conversations and contact openings belong to it, and their finders' keys end.
-- The caller holds the row of the item for update.
create function internal.move_item(item_id_param uuid, new_owner uuid) returns uuid
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

-- Accepts an offer to an address that the caller has proved: the item is theirs at once. Returns its code. Repeating it
-- returns the same. Every offer that is not open to the caller gets the same refusal.
create function public.accept_offer(offer_id_param uuid) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_items integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := (select auth.uid());
  offer public.item_offers;
  item public.items;
begin
  select * into offer from public.item_offers where id = offer_id_param;
  -- Accounts before items, in the order of delete_my_account. Held, so that neither is deleted, and that the address stays
  -- the caller's.
  perform from auth.users where id in (caller, offer.giver_id) order by id for share;
  -- An item before its offers, as where it is deleted.
  select * into item from public.items where id = offer.item_id for update;
  select * into offer from public.item_offers where id = offer_id_param for update;
  if offer.id is null or offer.email is distinct from internal.proved_address() or offer.giver_id = caller
      or offer.declined_at is not null then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  if offer.accepted_at is null then
    if offer.expires_at <= now() or not exists (
      select from auth.users
        where id = offer.giver_id and deleted_at is null and (banned_until is null or banned_until <= now())
    ) then
      raise exception 'No open offer to you has this id' using errcode = 'PT404';
    end if;
    offer.received_id := internal.move_item(item.id, caller);
    -- Of two claims at once the second must see the first.
    perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
    if exists (select from public.qr_codes where owner_id = caller offset 2 * most_items limit 1) then
      raise exception 'The account has no room left for another code' using errcode = 'PT413';
    end if;
    update public.item_offers set accepted_at = now(), received_id = offer.received_id where id = offer.id;
    perform internal.record_event('item_given', offer.giver_id);
    perform internal.record_event('item_received', caller, (auth.jwt() ->> 'session_id')::uuid);
    perform internal.enqueue_offer_mail(offer.id, 'acceptance');
  end if;
  select * into item from public.items where id = offer.received_id and user_id = caller and given_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  return jsonb_build_object('qr_id', item.qr_id);
end
$$;

-- What changes hands with the caller: open offers to the address that they have proved, and their records of items that they
-- gave away. The newest 100 of each.
create function public.list_transfers() returns jsonb
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
                and accepted_at is null and declined_at is null and expires_at > now()
              order by created_at desc, id limit 100
          ) as offer
          join public.items as item on item.id = offer.item_id
          left join public.profiles as giver on giver.id = offer.giver_id
      ),
      'given', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'id', record.id, 'item_type', record.item_type, 'item_name', record.item_name, 'given_at', record.given_at,
            'email', (select email from public.item_offers where item_id = record.id and accepted_at is not null limit 1),
            'has_messages', exists (select from public.messages where item_id = record.id)
          ) order by record.given_at desc, record.id), '[]')
          from (
            select * from public.items
              where user_id = (select auth.uid()) and given_at is not null
              order by given_at desc, id limit 100
          ) as record
      )
    )
  $$;

-- Deletes the caller's record of an item that they gave away, with its conversations. Repeating it changes nothing.
create function public.delete_given_item(item_id_param uuid) returns void
  language sql security definer
  set search_path = ''
  as $$
    delete from public.items where id = item_id_param and user_id = (select auth.uid()) and given_at is not null
  $$;

-- As before, with the offers of items. Those to the account say nothing about who made them.
create or replace function public.export_account(user_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'exported_at', now(),
        'account', (
          select jsonb_build_object(
              'id', account.id, 'email', coalesce(account.email, account.claimed_email), 'email_confirmed_at', account.email_confirmed_at,
              'phone', account.phone, 'phone_confirmed_at', account.phone_confirmed_at,
              'new_email', account.new_email, 'new_phone', account.new_phone, 'created_at', account.created_at,
              'updated_at', account.updated_at, 'last_sign_in_at', account.last_sign_in_at,
              'has_password', account.encrypted_password is not null,
              'user_metadata', account.raw_user_meta_data, 'app_metadata', account.raw_app_meta_data
            )
            from auth.users as account where account.id = person.id
        ),
        'profile', (select to_jsonb(profile) from public.profiles as profile where profile.id = person.id),
        'notice_settings', (
          select to_jsonb(settings) from public.notice_settings as settings where settings.user_id = person.id
        ),
        'identities', (
          select coalesce(jsonb_agg(to_jsonb(identity) order by identity.created_at), '[]')
            from auth.identities as identity where identity.user_id = person.id
        ),
        'codes', (
          select coalesce(jsonb_agg(to_jsonb(code) order by code.qr_id), '[]')
            from public.qr_codes as code where code.owner_id = person.id
        ),
        'items', (
          select coalesce(jsonb_agg(to_jsonb(item) order by item.created_at), '[]')
            from public.items as item where item.user_id = person.id
        ),
        'item_offers', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'received_id' order by offer.created_at), '[]')
            from public.item_offers as offer where offer.giver_id = person.id
        ),
        'item_offers_received', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'giver_id' - 'item_id' order by offer.created_at), '[]')
            from public.item_offers as offer
            join auth.users as account on account.id = person.id and account.email = offer.email
        ),
        'conversations', (
          -- Its key is the finder's.
          select coalesce(jsonb_agg(to_jsonb(conversation) - 'finder_key_hash' order by conversation.created_at), '[]')
            from public.conversations as conversation where conversation.owner_id = person.id
        ),
        'messages', (
          select coalesce(jsonb_agg(to_jsonb(message) order by message.created_at), '[]')
            from public.messages as message where message.owner_id = person.id
        ),
        'channel_openings', (
          select coalesce(jsonb_agg(to_jsonb(opening) order by opening.opened_at), '[]')
            from public.channel_openings as opening where opening.owner_id = person.id
        ),
        'files', (
          -- Where its bytes are is the service's business.
          select coalesce(jsonb_agg(to_jsonb(file) - 'version' - 'renditions' order by file.created_at), '[]')
            from storage.objects as file where file.owner = person.id
        ),
        'sessions', (
          select coalesce(jsonb_agg(to_jsonb(session) - 'device_hash' order by session.created_at), '[]')
            from auth.sessions as session where session.user_id = person.id
        ),
        'known_devices', (
          select coalesce(jsonb_agg(to_jsonb(device) - 'device_hash' order by device.created_at), '[]')
            from auth.known_devices as device where device.user_id = person.id
        ),
        'second_factors', (
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = person.id
        ),
        'recovery_codes', (
          select coalesce(jsonb_agg(to_jsonb(code) - 'code_hash' order by code.created_at), '[]')
            from auth.recovery_codes as code where code.user_id = person.id
        ),
        'codes_sent', (
          select coalesce(jsonb_agg(
              to_jsonb(sent) - 'token_hash' - 'link_hash' - 'code_challenge' order by sent.created_at
            ), '[]')
            from auth.one_time_tokens as sent where sent.user_id = person.id
        ),
        'push_subscriptions', (
          -- Not the keys, which the browser has.
          select coalesce(jsonb_agg(
              to_jsonb(subscription) - 'p256dh' - 'auth' order by subscription.created_at
            ), '[]')
            from public.push_subscriptions as subscription where subscription.user_id = person.id
        ),
        'notice_addresses', (
          -- Not the access token.
          select coalesce(jsonb_agg(to_jsonb(address) - 'token' order by address.created_at), '[]')
            from public.notice_addresses as address where address.user_id = person.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

grant create on schema public, internal to service_role;
alter function internal.forget_offers_to_account() owner to service_role;
alter function public.offer_item(uuid, text) owner to service_role;
alter function public.accept_offer(uuid) owner to service_role;
alter function public.decline_offer(uuid) owner to service_role;
alter function public.list_transfers() owner to service_role;
alter function public.delete_given_item(uuid) owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.proved_address(), internal.enqueue_offer_mail(uuid, text), internal.move_item(uuid, uuid)
  to service_role;
grant execute on function public.offer_item(uuid, text), public.accept_offer(uuid), public.decline_offer(uuid),
  public.list_transfers(), public.delete_given_item(uuid) to authenticated, service_role;
