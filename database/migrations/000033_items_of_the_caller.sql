-- kind: compatible
-- A signed-in finder reaches the owner of a claimed code whose account has no room for another item.

-- As before, and of the caller's own items alone. The table's policy lets a user insert no others; an item of another
-- account is the one that a finder's first act makes for the owner, and a visitor's is not counted either.
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
  if exists (select from public.items where user_id = caller order by created_at desc offset most limit 1) then
    raise exception 'The account has no room left for another item' using errcode = 'PT413';
  end if;
  return null;
end
$$;
