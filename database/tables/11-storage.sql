create table storage.buckets (
  id text collate "C" primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint check (file_size_limit > 0),
  allowed_mime_types text[],
  type text not null default 'STANDARD' check (type = 'STANDARD'),
  -- Whether every object is a still picture, decoded and encoded anew before it is kept. Set here alone.
  pictures boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint buckets_name check (name ~ '^[A-Za-z0-9_!.*''() &$=@;:+,?-]{1,100}$' and name = btrim(name))
);

create trigger buckets_touch before update on storage.buckets
  for each row execute function internal.touch_updated_at();

grant select, insert, update, delete on storage.buckets to anon, authenticated, service_role;

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text collate "C" not null references storage.buckets,
  -- Compared byte by byte, so that the index below finds what begins with a prefix.
  name text collate "C" not null check (name <> '' and octet_length(name) <= 1024),
  owner uuid references auth.users on delete cascade,
  owner_id text,
  -- The name of its file, which is random and never changes: a new content is a new version.
  version text not null default (gen_random_uuid())::text unique,
  metadata jsonb,
  user_metadata jsonb,
  -- Smaller sizes of a picture: [{"version", "width", "height", "size", "eTag"}].
  renditions jsonb not null default '[]'::jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint objects_bucket_name unique (bucket_id, name)
);

create index objects_owner on storage.objects (owner);
-- Whose file a smaller size is.
create index objects_renditions on storage.objects using gin (renditions jsonb_path_ops);

-- A name holds at least 128 bits and nothing of its owner. What is put up is never changed: another picture has another name.
create policy "owners put up pictures" on storage.objects
  for insert to authenticated
  with check (bucket_id in ('item-photos', 'avatars') and owner = (select auth.uid()) and name ~
    '^[A-Za-z0-9_-]{22,64}\.webp$');
create policy "owners see their pictures" on storage.objects
  for select to authenticated
  using (bucket_id in ('item-photos', 'avatars', 'message-photos') and owner = (select auth.uid()));
create policy "owners take their pictures down" on storage.objects
  for delete to authenticated
  using (bucket_id in ('item-photos', 'avatars') and owner = (select auth.uid()));

create trigger objects_forget_picture after delete on storage.objects
  for each row when (old.bucket_id in ('item-photos', 'avatars', 'message-photos'))
  execute function internal.forget_picture();
create trigger objects_hold_quota after insert or update of owner, metadata, renditions on storage.objects
  for each row when (new.owner is not null and new.bucket_id <> 'message-photos')
  execute function internal.hold_storage_quota();
create trigger objects_remove_files after delete on storage.objects
  for each row execute function internal.enqueue_file_removal();
create trigger objects_replace_files after update on storage.objects
  for each row when (old.version is distinct from new.version) execute function internal.enqueue_file_removal();
create trigger objects_touch before update on storage.objects
  for each row execute function internal.touch_updated_at();

grant select, insert, update, delete on storage.objects to anon, authenticated, service_role;

create table internal.removed_files (
  -- The name of a file, as in `version` of an object.
  file text primary key,
  removed_at timestamptz not null default now()
);

create index removed_files_age on internal.removed_files (removed_at);

grant select, delete on internal.removed_files to service_role;

-- Photos of items are read by anyone who knows the name, which nobody can guess; portraits by their owner alone, and photos
-- of finders through the service.
insert into storage.buckets (id, name, public, pictures, file_size_limit) values
  ('item-photos', 'item-photos', true, true, 12582912),
  ('avatars', 'avatars', false, true, 12582912),
  ('message-photos', 'message-photos', false, true, 12582912);
