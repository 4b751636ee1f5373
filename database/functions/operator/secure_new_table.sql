-- For the event trigger that internal.open_schema makes. What default privileges open to clients is under row-level
-- security from the start: a table gets it, and a view reads with the rights of who asks unless it says otherwise. What
-- can have no policies is closed to clients.
create or replace function internal.secure_new_table() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  made record;
begin
  for made in
    select command.object_type as kind, command.objid::pg_catalog.regclass as relation, class.reloptions as options
      from pg_catalog.pg_event_trigger_ddl_commands() as command
      join pg_catalog.pg_class as class on class.oid = command.objid
      where command.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
        and exists (
          select from pg_catalog.pg_default_acl as opened, pg_catalog.aclexplode(opened.defaclacl) as given
            where opened.defaclnamespace = class.relnamespace and opened.defaclobjtype = 'r'
              and given.grantee in ('anon'::pg_catalog.regrole, 'authenticated'::pg_catalog.regrole)
        )
  loop
    case made.kind
      when 'table' then
        execute pg_catalog.format('alter table %s enable row level security', made.relation);
      when 'view' then
        if not exists (select from pg_catalog.unnest(made.options) as option where option like 'security_invoker=%') then
          execute pg_catalog.format('alter view %s set (security_invoker = true)', made.relation);
        end if;
      when 'materialized view', 'foreign table' then
        execute pg_catalog.format('revoke all on %s from anon, authenticated', made.relation);
      else
        null;
    end case;
  end loop;
end
$$;
