-- Whether this account may give items away.
create or replace function internal.may_give(giver uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from auth.users where id = giver and deleted_at is null and (banned_until is null or banned_until <= now())
    )
  $$;
