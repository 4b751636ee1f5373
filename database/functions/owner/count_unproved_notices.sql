-- How many conversations were counted for the caller's unconfirmed address. The first few were emailed about
-- (domain/contact/unproved-notices.ts); the rest wait in the account.
create or replace function public.count_unproved_notices() returns integer
  language sql stable security definer
  set search_path = ''
  as $$
    select pg_catalog.count(distinct coalesce(conversation_id, message_id))::integer from internal.unproved_notices
      where user_id = (select auth.uid())
  $$;

grant execute on function public.count_unproved_notices() to authenticated;
