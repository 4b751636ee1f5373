-- A removed row takes its file with it: the removal is enqueued in the same transaction, and the file is noted, so that
-- no sweep takes it for one that never had a row. Runs as the account that migrates, which owns the job queue; so it
-- takes nothing but the names of files.
create or replace function internal.enqueue_file_removal() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  files constant jsonb :=
    pg_catalog.jsonb_build_array(old.version) || pg_catalog.jsonb_path_query_array(old.renditions, '$[*].version');
begin
  insert into internal.removed_files (file)
    select distinct file from pg_catalog.jsonb_array_elements_text(files) as file
    on conflict (file) do nothing;
  perform graphile_worker.add_job('remove_files', pg_catalog.json_build_object('files', files));
  return null;
end
$$;
