-- The address that the caller's account has proved, or null. Offers belong to no other.
create or replace function internal.proved_address() returns text
  language sql stable
  set search_path = ''
  as $$
    select email from auth.users
      where id = (select auth.uid()) and email_confirmed_at is not null and deleted_at is null
  $$;
