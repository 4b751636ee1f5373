-- Nothing keeps the address of a deleted account: what was offered to it ends.
create or replace function internal.forget_offers_to_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from public.item_offers where email = old.email and accepted_at is null;
  update public.item_offers set email = null where email = old.email;
  return null;
end
$$;
