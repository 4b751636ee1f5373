-- How many items a caller may have. The server sets it; without a setting it is 1000. The service itself and operators
-- have no quota. Only the caller's own items count: an item of another account is one that a finder's first act makes
-- for its owner. Records of items that were given away take no room.
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
