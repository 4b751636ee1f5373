-- Accepts an offer to an address that the caller has proved: the item is theirs at once. Returns its code. Repeating it
-- returns the same. Every offer that is not open to the caller gets the same refusal. The giver's email outlives the
-- offer.
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
    -- Who has proved only a number gets no mail.
    if not exists (select from auth.users where id = offer.giver_id and email is not null) then
      perform internal.enqueue_change_notice('item_given', offer.giver_id, (
        select session_id from auth.audit_log
          where user_id = offer.giver_id and event = 'item_offered' order by at desc limit 1
      ));
    end if;
    perform internal.enqueue_acceptance_mail(offer.id, offer.giver_id, offer.email, item.item_name);
  end if;
  select * into item from public.items where id = offer.received_id and user_id = caller and given_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  return jsonb_build_object('qr_id', item.qr_id);
end
$$;

grant execute on function public.accept_offer(uuid) to authenticated;
