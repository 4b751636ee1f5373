-- Notes what ended, for the restore of a backup that was made before. The arguments are the column of the key and, for
-- an update, the columns that end something: a switch that is turned off, a time that is set, a text that is replaced or
-- removed. The opposite takes an entry back. There are ids and times only.
create or replace function internal.note_ending() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  what text := tg_table_schema || '.' || tg_table_name;
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  key text := coalesce(after, before) ->> tg_argv[0];
  col text;
  is_time boolean;
begin
  if tg_op <> 'UPDATE' then
    insert into internal.endings (what, id) values (what, key)
      on conflict on constraint endings_pkey do update set at = excluded.at, taken_back = false;
    return null;
  end if;
  for place in 1 .. tg_nargs - 1 loop
    col := tg_argv[place];
    is_time := col ~ '_(at|until)$';
    continue when after -> col is not distinct from before -> col
      or before -> col = 'null' and not is_time and jsonb_typeof(after -> col) <> 'boolean';
    insert into internal.endings (what, id, taken_back)
      values (what || '.' || col, key, case when is_time then after -> col = 'null' else after -> col = 'true' end)
      on conflict on constraint endings_pkey do update set at = excluded.at, taken_back = excluded.taken_back;
  end loop;
  return null;
end
$$;
