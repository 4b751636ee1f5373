-- Offers an item of the caller's to an address, and returns the offer's id and when it expires. Whether the address has an
-- account is never looked at. Repeating it changes nothing. An account has 20 open offers at most, and an item has one.
create or replace function public.offer_item(item_id_param uuid, email_param text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_offers constant integer := 20;
  caller uuid := (select auth.uid());
  address text := lower(internal.trim_blanks(email_param));
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
    perform internal.make_lasting_change('item_offered', caller, address);
    perform internal.enqueue_offer_mail(offer.id, 'offer');
  elsif offer.email <> address then
    raise exception 'This item is offered to somebody else already' using errcode = 'PT409';
  end if;
  return jsonb_build_object('id', offer.id, 'expires_at', offer.expires_at);
end
$$;

grant execute on function public.offer_item(uuid, text) to authenticated;
