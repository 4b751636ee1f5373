-- The API roles, the schemas named as Supabase names them, and what every later object is granted.

-- Roles belong to the whole cluster, so another database of it may have made them a moment ago.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    begin
      execute format('create role %I nologin noinherit', role_name);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;

  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege then
      raise exception 'The role service_role needs BYPASSRLS, and this account may not grant it.'
        using hint = 'Run once as a superuser: alter role service_role bypassrls;';
    end;
  end if;

  begin
    execute format('grant anon, authenticated, service_role to %I', current_user);
  exception when unique_violation or invalid_grant_operation then
    null;
  end;
end
$$;

create schema auth;
create schema storage;
create schema realtime;
create schema if not exists internal;

comment on schema auth is 'Accounts, sessions and one-time codes. API roles read it through functions only.';
comment on schema internal is 'What the service keeps for itself. No API role may enter.';

revoke all on schema public from public;
grant usage on schema public, auth, storage, realtime to anon, authenticated, service_role;
grant usage on schema internal to service_role;

-- A new function is executable by everybody unless this is said first.
alter default privileges revoke execute on functions from public;
