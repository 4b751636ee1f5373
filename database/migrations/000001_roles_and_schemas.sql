-- kind: compatible
-- The API roles, the schemas named as Supabase names them, and who the caller is.

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

create function auth.jwt() returns jsonb
  language sql stable parallel safe
  set search_path = ''
  as $$ select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb $$;

create function auth.uid() returns uuid
  language sql stable parallel safe
  set search_path = ''
  as $$ select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid $$;

create function auth.role() returns text
  language sql stable parallel safe
  set search_path = ''
  as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $$;

grant execute on function auth.jwt(), auth.uid(), auth.role() to anon, authenticated, service_role;

-- Values that must be the same for every server on this database and never leave it.
create table internal.secrets (
  name text primary key,
  value text not null
);
alter table internal.secrets enable row level security;
alter table internal.secrets force row level security;
grant select on internal.secrets to service_role;

-- 244 random bits; gen_random_uuid() draws from the server's strong generator.
insert into internal.secrets (name, value)
  values ('owner_reference', gen_random_uuid()::text || gen_random_uuid()::text);

-- Counters of rate-limiter-flexible, in the shape which that library expects.
create table internal.rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on internal.rate_limits (expire);
alter table internal.rate_limits enable row level security;
alter table internal.rate_limits force row level security;
grant select, insert, update, delete on internal.rate_limits to service_role;
