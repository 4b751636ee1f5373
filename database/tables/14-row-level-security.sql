-- Of every table above, also for its owner. A migration that creates a table says both itself.
do $$
declare
  named regclass;
begin
  for named in
    select oid from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('auth', 'public', 'internal', 'storage', 'realtime')
  loop
    execute format('alter table %s enable row level security, force row level security', named);
  end loop;
end
$$;
