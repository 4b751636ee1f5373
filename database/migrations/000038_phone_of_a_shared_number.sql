-- kind: compatible
-- An account that was confirmed by a phone it shares with another account has no number of its own, and could not change
-- the one in its profile.

-- As before, for accounts that have a proved number.
create or replace function internal.keep_proved_phone() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users
      where id = new.id and phone is not null and phone_confirmed_at is not null and '+' || phone is distinct from new.phone
  ) then
    raise exception 'A proved phone number is changed with a code' using errcode = '42501';
  end if;
  return new;
end
$$;
