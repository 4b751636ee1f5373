-- kind: compatible
-- The files of rows that are gone are known for a time, so that a backup of the files, begun after one of the
-- database, has every file of it.

create table internal.removed_files (
  -- The name of a file, as in `version` of an object.
  file text primary key,
  removed_at timestamptz not null default now()
);
create index removed_files_age on internal.removed_files (removed_at);
alter table internal.removed_files enable row level security;
alter table internal.removed_files force row level security;
grant select, delete on internal.removed_files to service_role;

-- As before; and in the same transaction the file is noted, so that no sweep takes it for one that never had a row.
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
