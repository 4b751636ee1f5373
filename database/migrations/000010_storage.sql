-- kind: compatible
-- Buckets and objects of the storage service; photos of items, pictures of people, and what becomes of their files.

create table storage.buckets (
  id text collate "C" primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint check (file_size_limit > 0),
  allowed_mime_types text[],
  type text not null default 'STANDARD' check (type = 'STANDARD'),
  -- Whether every object is a still picture, decoded and encoded anew before it is kept. A migration's business.
  pictures boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint buckets_name check (name ~ '^[A-Za-z0-9_!.*''() &$=@;:+,?-]{1,100}$' and name = btrim(name))
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text collate "C" not null references storage.buckets,
  -- Compared byte by byte, so that the index below finds what begins with a prefix.
  name text collate "C" not null check (name <> '' and octet_length(name) <= 1024),
  owner uuid references auth.users on delete cascade,
  owner_id text,
  -- The name of its file, which is random and never changes: a new content is a new version.
  version text not null default gen_random_uuid()::text unique,
  metadata jsonb,
  user_metadata jsonb,
  -- Smaller sizes of a picture: [{"version", "width", "height", "size", "eTag"}].
  renditions jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint objects_bucket_name unique (bucket_id, name)
);
create index objects_owner on storage.objects (owner);
-- Whose file a smaller size is.
create index objects_renditions on storage.objects using gin (renditions jsonb_path_ops);

alter table storage.buckets enable row level security;
alter table storage.buckets force row level security;
alter table storage.objects enable row level security;
alter table storage.objects force row level security;

-- What a role may do is a policy's to say, so that an operator's own policies work as they were written.
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

create trigger buckets_touch before update on storage.buckets
  for each row execute function internal.touch_updated_at();
create trigger objects_touch before update on storage.objects
  for each row execute function internal.touch_updated_at();

-- For policies: the folders of an object's name, its last part, and that part's extension.
create function storage.foldername(name text) returns text[]
  language sql immutable
  as $$ select (string_to_array(name, '/'))[1:cardinality(string_to_array(name, '/')) - 1] $$;

create function storage.filename(name text) returns text
  language sql immutable
  as $$ select split_part(name, '/', -1) $$;

create function storage.extension(name text) returns text
  language sql immutable
  as $$ select case when position('.' in split_part(name, '/', -1)) > 0 then split_part(split_part(name, '/', -1), '.', -1) else '' end $$;

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role;

-- Signed addresses are signed with it: 244 random bits, the same for every server.
insert into internal.secrets (name, value)
  values ('storage_addresses', gen_random_uuid()::text || gen_random_uuid()::text);

-- How much one account may keep. The server says how many bytes; without its word it is 100 MiB.
create function internal.hold_storage_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_objects constant integer := 1000;
  most_bytes bigint := coalesce(nullif(current_setting('reunite.account_storage_bytes', true), ''), '104857600');
  objects integer;
  bytes bigint;
begin
  -- Of two uploads at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('storage of ' || new.owner, 0));
  select count(*), sum(coalesce((object.metadata ->> 'size')::bigint, 0) + (
      select coalesce(sum((rendition ->> 'size')::bigint), 0) from jsonb_array_elements(object.renditions) as rendition
    ))
    into objects, bytes
    from storage.objects as object where object.owner = new.owner;
  if objects > most_objects or bytes > most_bytes then
    raise exception 'The account has no room left for this' using errcode = 'PT413';
  end if;
  return null;
end
$$;

create trigger objects_hold_quota after insert or update of owner, metadata, renditions on storage.objects
  for each row when (new.owner is not null)
  execute function internal.hold_storage_quota();

-- In the transaction that lets go of a file, whoever does it: a row that is gone takes its file with it.
-- Runs as whoever migrated, who owns the job queue; so it takes nothing but the names of files.
create function internal.enqueue_file_removal() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job('remove_files', pg_catalog.json_build_object(
    'files', pg_catalog.jsonb_build_array(old.version) || pg_catalog.jsonb_path_query_array(old.renditions, '$[*].version')
  ));
  return null;
end
$$;

create trigger objects_remove_files after delete on storage.objects
  for each row execute function internal.enqueue_file_removal();
create trigger objects_replace_files after update on storage.objects
  for each row when (old.version is distinct from new.version)
  execute function internal.enqueue_file_removal();

-- Photos of items are read by whoever knows the name, which nobody can guess; pictures of people by themselves alone.
insert into storage.buckets (id, name, public, pictures, file_size_limit) values
  ('item-photos', 'item-photos', true, true, 12582912),
  ('avatars', 'avatars', false, true, 12582912);

-- A name holds at least 128 bits and nothing of its owner. What is put up is never changed: another picture has another name.
create policy "owners put up pictures" on storage.objects
  for insert to authenticated
  with check (
    bucket_id in ('item-photos', 'avatars') and owner = (select auth.uid()) and name ~ '^[A-Za-z0-9_-]{22,64}\.webp$'
  );
create policy "owners see their pictures" on storage.objects
  for select to authenticated
  using (bucket_id in ('item-photos', 'avatars') and owner = (select auth.uid()));
create policy "owners take their pictures down" on storage.objects
  for delete to authenticated
  using (bucket_id in ('item-photos', 'avatars') and owner = (select auth.uid()));

alter table public.items add column photo text;
alter table public.profiles add column avatar text;
comment on column public.items.photo is 'The name of an object of its owner in the bucket item-photos.';
comment on column public.profiles.avatar is 'The name of an object of its owner in the bucket avatars.';
create unique index items_photo on public.items (photo);
create unique index profiles_avatar on public.profiles (avatar);
grant update (photo) on public.items to authenticated;
grant update (avatar) on public.profiles to authenticated;

-- A picture that is shown is there, and is its owner's. Arguments: bucket, the column with the name, the column with
-- the owner.
create function internal.require_own_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- Held until the transaction ends, so that it cannot be taken down meanwhile.
  perform from storage.objects
    where bucket_id = tg_argv[0] and name = to_jsonb(new) ->> tg_argv[1] and owner = (to_jsonb(new) ->> tg_argv[2])::uuid
    for key share;
  if not found then
    raise exception 'There is no such picture of yours' using errcode = '23503';
  end if;
  return new;
end
$$;

-- A picture that is shown no longer is gone. The same arguments.
create function internal.take_down_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from storage.objects where bucket_id = tg_argv[0] and name = to_jsonb(old) ->> tg_argv[1];
  return null;
end
$$;

-- And one that was taken down by itself is shown no longer.
create function internal.forget_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.items set photo = null where old.bucket_id = 'item-photos' and photo = old.name;
  update public.profiles set avatar = null where old.bucket_id = 'avatars' and avatar = old.name;
  return null;
end
$$;

create trigger items_require_photo before insert or update of photo, user_id on public.items
  for each row when (new.photo is not null)
  execute function internal.require_own_picture('item-photos', 'photo', 'user_id');
create trigger items_replace_photo after update of photo on public.items
  for each row when (old.photo is not null and old.photo is distinct from new.photo)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');
create trigger items_delete_photo after delete on public.items
  for each row when (old.photo is not null)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');

create trigger profiles_require_avatar before insert or update of avatar on public.profiles
  for each row when (new.avatar is not null)
  execute function internal.require_own_picture('avatars', 'avatar', 'id');
create trigger profiles_replace_avatar after update of avatar on public.profiles
  for each row when (old.avatar is not null and old.avatar is distinct from new.avatar)
  execute function internal.take_down_picture('avatars', 'avatar', 'id');
create trigger profiles_delete_avatar after delete on public.profiles
  for each row when (old.avatar is not null)
  execute function internal.take_down_picture('avatars', 'avatar', 'id');

create trigger objects_forget_picture after delete on storage.objects
  for each row when (old.bucket_id in ('item-photos', 'avatars'))
  execute function internal.forget_picture();

-- As before, with the photo's public address.
create or replace function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
begin
  select jsonb_build_object(
      'item_type', item.item_type,
      'item_name', item.item_name,
      'photo', '/storage/v1/object/public/item-photos/' || item.photo,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', item.note_to_finders,
      'lost', item.lost_at is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and coalesce(item.whatsapp_enabled, owner.whatsapp_enabled),
        'call', owner.phone is not null and coalesce(item.call_enabled, owner.call_enabled),
        'email', owner.email is not null and coalesce(item.email_enabled, owner.email_enabled),
        'message', coalesce(item.message_enabled, owner.message_enabled, true)
      )
    )
    into found_item
    from public.items as item
    left join public.profiles as owner on owner.id = item.user_id
    where item.qr_id = qr_id_param;
  return found_item;
end
$$;

grant create on schema internal to service_role;
alter function internal.hold_storage_quota() owner to service_role;
alter function internal.require_own_picture() owner to service_role;
alter function internal.take_down_picture() owner to service_role;
alter function internal.forget_picture() owner to service_role;
revoke create on schema internal from service_role;
