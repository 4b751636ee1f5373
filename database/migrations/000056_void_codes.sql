-- kind: compatible
-- An operator voids codes, and may close the service to codes that it did not issue
-- (docs/decisions/0074-void-codes.md, docs/decisions/0075-codes-that-may-be-claimed.md).

alter table public.qr_codes
  add column voided_at timestamptz,
  add column void_reason text check (char_length(void_reason) between 1 and 200),
  add constraint qr_codes_void check ((voided_at is null) = (void_reason is null));
create index qr_codes_voided on public.qr_codes (qr_id) where voided_at is not null;
comment on column public.qr_codes.void_reason is 'Why an operator voided the code. Its owner reads it.';
alter table public.sticker_batches
  add column voided_at timestamptz,
  add column void_reason text check (char_length(void_reason) between 1 and 200),
  add constraint sticker_batches_void check ((voided_at is null) = (void_reason is null));

create function internal.is_void(qr_id_param text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select exists (select from public.qr_codes where qr_id = qr_id_param and voided_at is not null) $$;

-- Whether codes must be recorded as issued to be claimed: CLAIMABLE_CODES=issued.
create function internal.claims_only_issued_codes() returns boolean
  language sql stable
  set search_path = ''
  as $$ select coalesce(pg_catalog.current_setting('reunite.claimable_codes', true), '') = 'issued' $$;

-- As before, and no code of which nothing is recorded where only issued codes may be claimed.
create or replace function internal.is_claimable_code(qr_id text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select not internal.claims_only_issued_codes() and (
      qr_id ~ '^tgt-[A-Za-z0-9_-]{14,60}$'
      or (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item' and coalesce(current_setting('reunite.development', true), 'off') = 'on')
    )
  $$;

-- As before, but never a void code, and where only issued codes may be claimed, no other that is free. The row is locked
-- before it is judged: of a claim and a voiding at once, the second sees the first.
create or replace function internal.claim_code(qr_id_param text, owner_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  holder uuid;
begin
  if internal.is_claimable_code(qr_id_param) then
    insert into public.qr_codes as existing (qr_id, owner_id, claimed_at)
      values (qr_id_param, owner_id_param, now())
      on conflict (qr_id) do update
        set owner_id = coalesce(existing.owner_id, excluded.owner_id),
            claimed_at = coalesce(existing.claimed_at, excluded.claimed_at)
        where existing.voided_at is null
      returning existing.owner_id into holder;
  else
    update public.qr_codes
      set owner_id = coalesce(owner_id, owner_id_param), claimed_at = coalesce(claimed_at, now())
      where qr_id = qr_id_param and voided_at is null
        and (owner_id is not null or issued_at is not null or not internal.claims_only_issued_codes())
      returning owner_id into holder;
  end if;

  -- The same for a code that is void and one that is not known.
  if not found then
    raise exception 'This QR code was not issued by this service' using errcode = '22023';
  end if;
  if holder is distinct from owner_id_param then
    raise exception 'This QR code is already registered to another account' using errcode = '23505';
  end if;
end
$$;

-- Whether the caller can tag an item with the code: it is free, or the caller's own. False for a void code and for one
-- that is not known, and never says which.
create function public.can_claim_code(qr_id_param text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(
      (
        select code.voided_at is null and (
            code.owner_id = (select auth.uid())
            or code.owner_id is null and (code.issued_at is not null or not internal.claims_only_issued_codes())
          ) is true
          from public.qr_codes as code where code.qr_id = qr_id_param
      ),
      internal.is_claimable_code(qr_id_param),
      false
    )
  $$;

-- A new code that is the caller's at once, for an item without a sticker. Like any code of an account it is bounded in
-- number, and gone with its item.
create function public.claim_new_code() returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := auth.uid();
  code text := 'tgt-' || translate(left(encode(sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
  ), 'base64'), 16), '+/', '-_');
begin
  if caller is null then
    raise exception 'A code is claimed by somebody signed in' using errcode = '42501';
  end if;
  insert into public.qr_codes (qr_id, owner_id, claimed_at) values (code, caller, now());
  perform public.register_qr_code(code, caller);
  return code;
end
$$;

-- As before, without void codes.
create or replace function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
  item_code text := qr_id_param;
begin
  -- First as an item's own code, then as a further one: most scans take one look-up.
  for look_up in 1..2 loop
    select jsonb_build_object(
        'item_type', item.item_type,
        'item_name', item.item_name,
        'photo', '/storage/v1/object/public/item-photos/' || item.photo,
        'owner_first_name', internal.first_name(owner.full_name),
        'note_to_finders', item.note_to_finders,
        'reward', item.reward,
        'lost', item.lost_at is not null,
        'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
        'channels', jsonb_build_object(
          'whatsapp', owner.phone is not null and coalesce(item.whatsapp_enabled, owner.whatsapp_enabled),
          'call', owner.phone is not null and coalesce(item.call_enabled, owner.call_enabled),
          'email', owner.email is not null and coalesce(item.email_enabled, owner.email_enabled),
          'message', coalesce(item.message_enabled, owner.message_enabled, true)
        )
      )
      into found_item
      from public.items as item
      left join public.profiles as owner on owner.id = item.user_id
      where item.qr_id = item_code
        and not exists (
          select from public.qr_codes as code where code.qr_id = qr_id_param and code.voided_at is not null
        );
    if found_item is not null then
      return found_item;
    end if;
    select stands_for into item_code from public.qr_codes where qr_id = qr_id_param;
    exit when item_code is null;
  end loop;

  -- Claimed, and nothing is tagged with it yet: the shape of the item that its owner would get.
  select jsonb_build_object(
      'item_type', 'other',
      'item_name', 'My Tagged Item',
      'photo', null,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', null,
      'reward', null,
      'lost', false,
      'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and owner.whatsapp_enabled,
        'call', owner.phone is not null and owner.call_enabled,
        'email', owner.email is not null and owner.email_enabled,
        'message', coalesce(owner.message_enabled, true)
      )
    )
    into found_item
    from public.qr_codes as code
    left join public.profiles as owner on owner.id = code.owner_id
    where code.qr_id = qr_id_param and code.owner_id is not null and code.voided_at is null;
  return found_item;
end
$$;

-- As before, and null for a void code of another account.
create or replace function public.get_qr_code_owner(qr_id_param text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  holder uuid;
  is_void boolean;
begin
  select owner_id, voided_at is not null into holder, is_void from public.qr_codes where qr_id = qr_id_param;
  if holder is null or holder = (select auth.uid()) then
    return holder;
  end if;
  if is_void then
    return null;
  end if;
  return left(encode(sha256(convert_to(
    (select value from internal.secrets where name = 'owner_reference') || ':' || qr_id_param || ':' || holder, 'UTF8'
  )), 'hex'), 32)::uuid;
end
$$;

-- As before, and null for a void code, except to its owner and to operators.
create or replace function public.find_typed_code(typed_code_param text) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select typed.qr_id
      from internal.typed_codes as typed
      join public.qr_codes as code on code.qr_id = typed.qr_id
      where typed.typed_code = pg_catalog.replace(typed_code_param, '-', '')
        and (code.voided_at is null or code.owner_id = (select auth.uid()) or (select auth.role()) = 'service_role')
  $$;

-- As before, but not for a void code.
create or replace function public.send_message(
  qr_id_param text, body_param text, message_id_param uuid default gen_random_uuid(), finder_key_param text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  trimmed text := internal.trim_message(body_param);
  key_hash bytea := sha256(convert_to(finder_key_param, 'UTF8'));
  conversation uuid;
  message public.messages;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  if char_length(finder_key_param) not between 20 and 100 then
    raise exception 'The finder''s key is not one of ours' using errcode = '22023';
  end if;

  -- Held against deletion until the message is in.
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
  if item.id is null or internal.is_void(qr_id_param) then
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  -- Held against deletion as well.
  select id into conversation from public.conversations
    where id = internal.conversation_of_key(item.id, finder_key_param) for key share;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, key_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = key_hash and item_id = item.id for key share;
    end if;
    if conversation is null then
      raise exception 'The finder''s key belongs to another conversation' using errcode = '23505';
    end if;
  end if;

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (coalesce(message_id_param, gen_random_uuid()), conversation, item.id, item.user_id, 'finder', trimmed)
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if message.item_id is distinct from item.id or message.body is distinct from trimmed or message.sender <> 'finder' then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
    -- What this call made for a message that was already there must not stay behind as an empty conversation.
    delete from public.conversations
      where id = conversation and not exists (select from public.messages where conversation_id = conversation);
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

-- As before, but not for a void code.
create or replace function internal.open_channel(qr_id_param text, channel_param text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  if internal.is_void(qr_id_param) then
    return null;
  end if;
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param);
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param);
  end if;
  select * into owner from public.profiles where id = item.user_id;
  address := case channel_param
    when 'whatsapp' then case when coalesce(item.whatsapp_enabled, owner.whatsapp_enabled) then owner.phone end
    when 'call' then case when coalesce(item.call_enabled, owner.call_enabled) then owner.phone end
    when 'email' then case when coalesce(item.email_enabled, owner.email_enabled) then owner.email end
  end;
  if address is not null then
    insert into public.channel_openings (item_id, owner_id, channel) values (item.id, item.user_id, channel_param);
  end if;
  return address;
end
$$;

-- As before, but not with a void code.
create or replace function internal.tag_claimed_code(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.items (qr_id, user_id, item_type, item_name)
    select qr_id, owner_id, 'other', 'My Tagged Item'
      from public.qr_codes
      where qr_id = qr_id_param and owner_id is not null and voided_at is null;
  return found;
exception
  when unique_violation then
    -- Somebody tagged it in the same moment.
    return true;
  when invalid_parameter_value then
    -- Somebody voided it in the same moment.
    return false;
end
$$;

-- As before, but a void code stays void, with no owner.
create or replace function internal.free_codes(qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.qr_codes set owner_id = null, claimed_at = null, stands_for = null where qr_id = any (qr_ids);
  delete from public.qr_codes where qr_id = any (qr_ids) and issued_at is null and voided_at is null;
end
$$;
create or replace function public.delete_my_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or not account.is_anonymous and proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null and voided_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;

-- The pages of the codes are dropped from the memory of every server, and the owners' audit logs get an entry.
create function internal.announce_void_codes(event_param text, qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  -- A hundred codes have 6,499 characters at most, and a payload 7,999.
  perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
    select code.qr_id, (row_number() over () - 1) / 100 as payload
      from public.qr_codes as code where code.qr_id = any (qr_ids) and code.owner_id is not null
  ) as shown group by payload;
  insert into auth.audit_log (event, user_id, by_operator, details)
    select event_param, code.owner_id, true, jsonb_build_object('codes', count(*))
      from public.qr_codes as code where code.qr_id = any (qr_ids)
      group by code.owner_id;
end
$$;

-- Voids a code. Returns `voided`, `void` if it was void already, `claimed` if it belongs to an account and `claimed_too`
-- is false, or `unknown`.
create function public.void_code(qr_id_param text, reason_param text, claimed_too boolean default false) returns text
  language plpgsql
  set search_path = ''
  as $$
declare
  code public.qr_codes;
begin
  select * into code from public.qr_codes where qr_id = qr_id_param for update;
  if not found then
    return 'unknown';
  end if;
  if code.voided_at is not null then
    return 'void';
  end if;
  if code.owner_id is not null and claimed_too is not true then
    return 'claimed';
  end if;
  update public.qr_codes set voided_at = now(), void_reason = reason_param where qr_id = qr_id_param;
  perform internal.announce_void_codes('codes_voided', array[qr_id_param]);
  return 'voided';
end
$$;

-- Voids the codes of a batch, and the batch itself: no more codes are issued in it. Codes that belong to accounts stay
-- as they are unless `claimed_too`. Returns how many were voided, and how many of accounts were not.
create function public.void_batch(batch_id_param uuid, reason_param text, claimed_too boolean default false) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  update public.sticker_batches
    set voided_at = coalesce(voided_at, now()), void_reason = coalesce(void_reason, reason_param)
    where id = batch_id_param returning * into batch;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with voided as (
    update public.qr_codes set voided_at = batch.voided_at, void_reason = batch.void_reason
      where batch_id = batch.id and voided_at is null and (owner_id is null or claimed_too)
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return jsonb_build_object(
    'voided', cardinality(qr_ids),
    'claimed', (select count(*) from public.qr_codes where batch_id = batch.id and voided_at is null)
  );
end
$$;

-- Undoes `void_code`. Returns whether the code was void. One that was never issued and has lost its owner is forgotten,
-- as if it had never been void.
create function public.restore_code(qr_id_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.qr_codes set voided_at = null, void_reason = null
    where qr_id = qr_id_param and voided_at is not null;
  if not found then
    return false;
  end if;
  perform internal.announce_void_codes('codes_restored', array[qr_id_param]);
  delete from public.qr_codes where qr_id = qr_id_param and owner_id is null and issued_at is null;
  return true;
end
$$;

-- Undoes `void_batch`. Returns how many codes work again; those that were voided one by one stay void.
create function public.restore_batch(batch_id_param uuid) returns integer
  language plpgsql
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with restored as (
    update public.qr_codes set voided_at = null, void_reason = null
      where batch_id = batch.id and voided_at = batch.voided_at
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from restored;
  update public.sticker_batches set voided_at = null, void_reason = null where id = batch.id;
  perform internal.announce_void_codes('codes_restored', qr_ids);
  return cardinality(qr_ids);
end
$$;

-- As before, but not for a void batch.
create or replace function public.issue_codes(batch_id_param uuid, first_place integer, codes text[]) returns integer
  language plpgsql
  set search_path = ''
  as $$
declare
  most_codes constant integer := 1000;
  batch public.sticker_batches;
begin
  if cardinality(codes) > most_codes then
    raise exception 'At most % codes are issued at once', most_codes using errcode = '22023';
  end if;
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  if batch.voided_at is not null then
    raise exception 'The batch is void' using errcode = 'PT409';
  end if;
  if first_place is distinct from batch.recorded then
    return batch.recorded;
  end if;
  insert into public.qr_codes (qr_id, issued_at, batch_id, batch_place)
    select code, now(), batch.id, batch.recorded + place - 1
      from unnest(codes) with ordinality as given (code, place)
      where place <= batch.size - batch.recorded;
  update public.sticker_batches set recorded = least(recorded + coalesce(cardinality(codes), 0), size)
    where id = batch.id returning recorded into batch.recorded;
  return batch.recorded;
end
$$;

grant create on schema public to service_role;
alter function public.can_claim_code(text) owner to service_role;
alter function public.claim_new_code() owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.can_claim_code(text) to anon, authenticated, service_role;
grant execute on function public.claim_new_code() to authenticated, service_role;
grant execute on function public.void_code(text, text, boolean), public.void_batch(uuid, text, boolean),
  public.restore_code(text), public.restore_batch(uuid), internal.is_void(text), internal.claims_only_issued_codes(),
  internal.announce_void_codes(text, text[]) to service_role;
