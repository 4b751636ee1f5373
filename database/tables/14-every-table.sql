-- What holds for every table above. A migration that creates a table says it itself.
do $$
declare
  named regclass;
begin
  for named in
    select oid from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('auth', 'public', 'internal', 'storage', 'realtime')
        and oid not in ('internal.migrations'::regclass, 'internal.functions'::regclass)
  loop
    -- Also for its owner.
    execute format('alter table %s enable row level security, force row level security', named);
    -- Unless it was granted less.
    if not has_table_privilege('service_role', named, 'select') then
      execute format('grant select, insert, update, delete on %s to service_role', named);
    end if;
  end loop;
end
$$;
