-- kind: compatible
-- Whether the caller's account has a password. One that an invitation, a code or a provider began has none until its
-- owner chooses one, and cannot be asked for it.

create function public.has_password() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select exists (select from auth.users where id = (select auth.uid()) and encrypted_password is not null) $$;

grant create on schema public to service_role;
alter function public.has_password() owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.has_password() to authenticated, service_role;
