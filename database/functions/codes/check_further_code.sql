-- A further code stands for the own code of an item of the same owner, and is no item's own. A code without an owner stands
-- for nothing.
create or replace function internal.check_further_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'UPDATE' and new.owner_id is not distinct from old.owner_id and new.stands_for is not distinct from old.stands_for then
    return new;
  end if;
  if new.owner_id is null then
    new.stands_for := null;
    return new;
  end if;
  -- Held, so that the item cannot be deleted or get another own code meanwhile.
  perform from public.items where qr_id = new.stands_for and user_id = new.owner_id for key share;
  if not found or exists (select from public.items where qr_id = new.qr_id) then
    raise exception 'A further code stands for the code of an item of its owner' using errcode = '23514';
  end if;
  return new;
end
$$;
