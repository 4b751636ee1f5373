-- Declines an offer to an address that the caller has proved. Repeating it changes nothing.
create or replace function public.decline_offer(offer_id_param uuid) returns void
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

grant execute on function public.decline_offer(uuid) to authenticated;
