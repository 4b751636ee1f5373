-- Opens a schema of the operator's own to the API roles: what is in it, and what its caller makes in it later. Every
-- table of it is under row-level security. Functions are not opened.
-- Only for the account that migrates.
create or replace function internal.open_schema(schema_param text) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  relation record;
begin
  if schema_param in ('auth', 'graphile_worker', 'internal', 'public', 'realtime', 'storage') then
    raise exception 'The schema % is the product''s. Give your tables a schema of their own.', schema_param;
  end if;
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'secure_new_tables') then
    begin
      create event trigger secure_new_tables on ddl_command_end
        when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW',
          'CREATE FOREIGN TABLE', 'IMPORT FOREIGN SCHEMA')
        execute function internal.secure_new_table();
    exception when insufficient_privilege then
      raise exception 'Only a superuser can put later tables under row-level security.'
        using errcode = '42501', hint = 'Grant the rights on each table, after "enable row level security".';
    end;
  end if;
  execute pg_catalog.format('create schema if not exists %I', schema_param);
  execute pg_catalog.format('grant usage on schema %I to anon, authenticated, service_role', schema_param);
  execute pg_catalog.format('alter default privileges in schema %I
    grant select, insert, update, delete on tables to anon, authenticated, service_role', schema_param);
  execute pg_catalog.format('alter default privileges in schema %I
    grant usage on sequences to anon, authenticated, service_role', schema_param);
  for relation in
    select class.oid::pg_catalog.regclass as name from pg_catalog.pg_class as class
      where class.relnamespace = schema_param::pg_catalog.regnamespace and class.relkind in ('r', 'p')
  loop
    execute pg_catalog.format('alter table %s enable row level security', relation.name);
    execute pg_catalog.format('grant select, insert, update, delete on %s to anon, authenticated, service_role',
      relation.name);
  end loop;
  execute pg_catalog.format('grant usage on all sequences in schema %I to anon, authenticated, service_role',
    schema_param);
  perform pg_catalog.pg_notify('pgrst', 'reload schema');
end
$$;
