create or replace function public.count_recovery_codes() returns integer
  language sql stable security definer
  set search_path = ''
  as $$ select pg_catalog.count(*)::integer from auth.recovery_codes where user_id = (select auth.uid()) $$;

grant execute on function public.count_recovery_codes() to authenticated;
