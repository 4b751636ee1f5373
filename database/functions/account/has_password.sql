create or replace function public.has_password() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select exists (select from auth.users where id = (select auth.uid()) and encrypted_password is not null) $$;

grant execute on function public.has_password() to authenticated;
