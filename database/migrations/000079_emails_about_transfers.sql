-- kind: compatible
-- Who gave an item away is told, whatever they delete; who gets one is told of its void stickers; and what cannot be accepted
-- is not offered.

-- Whether this account may give items away.
create function internal.may_give(giver uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from auth.users where id = giver and deleted_at is null and (banned_until is null or banned_until <= now())
    )
  $$;
revoke all on function internal.may_give(uuid) from public;
grant execute on function internal.may_give(uuid) to service_role;

-- Enqueues the email to the giver of an item. It contains what the email says: the giver may delete the offer with the record
-- of the item before it is sent, and so may whoever acts with a stolen session.
create function internal.enqueue_acceptance_mail(
  offer_id_param uuid, giver_id_param uuid, email_param text, item_name_param text
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object(
      'offer_id', offer_id_param, 'about', 'acceptance', 'giver_id', giver_id_param, 'email', email_param,
      'item_name', item_name_param
    ),
    job_key := 'send_offer_mail:acceptance:' || offer_id_param
  );
end
$$;
revoke all on function internal.enqueue_acceptance_mail(uuid, uuid, text, text) from public;
grant execute on function internal.enqueue_acceptance_mail(uuid, uuid, text, text) to service_role;

-- As before, with the email about void codes.
create or replace function internal.move_item(item_id_param uuid, new_owner uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $$
declare
  item public.items;
  code text;
  further_codes text[];
  void_codes text[];
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
  -- Whoever gets the item learns which of its stickers do not work; the former owner may not have been told in time.
  void_codes := array(select qr_id from public.qr_codes where qr_id = any (further_codes) and voided_at is not null);
  if cardinality(void_codes) > 0 then
    perform internal.enqueue_void_mail(new_owner, void_codes);
  end if;
  return moved_id;
end
$$;

-- As before, with the email that outlives the offer.
create or replace function public.accept_offer(offer_id_param uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
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
    if offer.expires_at <= now() or not internal.may_give(offer.giver_id) then
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
    perform internal.enqueue_acceptance_mail(offer.id, offer.giver_id, offer.email, item.item_name);
  end if;
  select * into item from public.items where id = offer.received_id and user_id = caller and given_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  return jsonb_build_object('qr_id', item.qr_id);
end
$$;

-- As before, without offers of accounts that may not give.
create or replace function public.list_transfers()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $$
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
                and internal.may_give(giver_id)
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
