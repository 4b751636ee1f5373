-- kind: compatible
-- Profiles, tag codes and items; claiming and tagging as one atomic step.

create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  full_name text check (char_length(full_name) <= 200),
  email text check (char_length(email) <= 254),
  phone text check (phone ~ '^\+[1-9][0-9]{1,14}$'),
  whatsapp_enabled boolean not null default true,
  call_enabled boolean not null default true,
  email_enabled boolean not null default true,
  message_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.profiles.phone is 'E.164 with the plus.';

create table public.qr_codes (
  -- 'new-item' is the word in a link for tagging something whose code is yet to be made.
  qr_id text primary key check (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item'),
  owner_id uuid references auth.users on delete set null,
  -- Null for a code that its owner brought along and the service never issued.
  issued_at timestamptz,
  claimed_at timestamptz
);
create index qr_codes_owner on public.qr_codes (owner_id);

create table public.items (
  id uuid primary key default gen_random_uuid(),
  qr_id text not null unique references public.qr_codes,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  item_type text not null check (item_type in (
    'bag', 'backpack', 'suitcase', 'laptop', 'phone', 'charger', 'headphones', 'airpods', 'keys', 'wallet',
    'book', 'umbrella', 'watch', 'glasses', 'pen', 'bottle', 'battery', 'bike', 'pet', 'baby', 'custom', 'other'
  )),
  item_name text not null check (char_length(btrim(item_name)) between 1 and 100),
  description text check (char_length(description) <= 1000),
  note_to_finders text check (char_length(note_to_finders) <= 250),
  lost_at timestamptz,
  -- Null follows the account's setting.
  whatsapp_enabled boolean,
  call_enabled boolean,
  email_enabled boolean,
  message_enabled boolean,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index items_owner on public.items (user_id, created_at desc);

alter table public.profiles enable row level security;
alter table public.profiles force row level security;
alter table public.qr_codes enable row level security;
alter table public.qr_codes force row level security;
alter table public.items enable row level security;
alter table public.items force row level security;

create policy "owners read their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy "owners make their own profile" on public.profiles
  for insert to authenticated with check (id = (select auth.uid()));
create policy "owners change their own profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

create policy "owners read their own codes" on public.qr_codes
  for select to authenticated using (owner_id = (select auth.uid()));

create policy "owners read their own items" on public.items
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners tag their own items" on public.items
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owners change their own items" on public.items
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owners delete their own items" on public.items
  for delete to authenticated using (user_id = (select auth.uid()));

-- A visitor may ask (the client does, with a head count) and is shown nothing: no policy lets anon see a row.
grant select on public.profiles, public.items to anon;
grant select on public.profiles, public.qr_codes, public.items to authenticated;
grant insert (id, full_name) on public.profiles to authenticated;
grant update (full_name, phone, whatsapp_enabled, call_enabled, email_enabled, message_enabled)
  on public.profiles to authenticated;
grant insert (qr_id, user_id, item_type, item_name, description, note_to_finders) on public.items to authenticated;
grant update (item_type, item_name, description, note_to_finders, lost_at,
    whatsapp_enabled, call_enabled, email_enabled, message_enabled)
  on public.items to authenticated;
grant delete on public.items to authenticated;
grant select, insert, update, delete on public.profiles, public.qr_codes, public.items to service_role;

create function internal.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger users_touch before update on auth.users
  for each row execute function internal.touch_updated_at();
create trigger profiles_touch before update on public.profiles
  for each row execute function internal.touch_updated_at();
create trigger items_touch before update on public.items
  for each row execute function internal.touch_updated_at();

-- Whether somebody may claim a code which the service did not issue: it must carry at least 80 bits,
-- 14 URL-safe characters after the prefix, so that nobody can guess codes of others or claim words.
create function internal.is_claimable_code(qr_id text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select qr_id ~ '^tgt-[A-Za-z0-9_-]{14,60}$'
      or (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item' and coalesce(current_setting('reunite.development', true), 'off') = 'on')
  $$;

-- Gives the code to the owner and holds its row until the transaction ends, so that of many at once one wins.
create function internal.claim_code(qr_id_param text, owner_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  holder uuid;
begin
  if not internal.is_claimable_code(qr_id_param)
      and not exists (select from public.qr_codes where qr_id = qr_id_param) then
    raise exception 'This QR code was not issued by this service' using errcode = '22023';
  end if;

  insert into public.qr_codes as existing (qr_id, owner_id, claimed_at)
    values (qr_id_param, owner_id_param, now())
    on conflict (qr_id) do update
      set owner_id = coalesce(existing.owner_id, excluded.owner_id),
          claimed_at = coalesce(existing.claimed_at, excluded.claimed_at)
    returning existing.owner_id into holder;

  if holder is distinct from owner_id_param then
    raise exception 'This QR code is already registered to another account' using errcode = '23505';
  end if;
end
$$;

create function internal.claim_code_of_new_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- The row lock that claiming takes must come before the look for an item: two taggers then meet here, one after the other.
  begin
    perform internal.claim_code(new.qr_id, new.user_id);
  exception when unique_violation then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end;
  if exists (select from public.items where qr_id = new.qr_id) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;

create trigger items_claim_code before insert on public.items
  for each row execute function internal.claim_code_of_new_item();

-- Deleting an item frees its code: an issued one can be claimed again, a self-made one is forgotten.
create function internal.free_code_of_deleted_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from public.qr_codes where qr_id = old.qr_id and issued_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where qr_id = old.qr_id;
  return null;
end
$$;

create trigger items_free_code after delete on public.items
  for each row execute function internal.free_code_of_deleted_item();

-- Every account has a profile from its first moment.
create function internal.create_profile_of_new_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), 200),
      new.email,
      -- Whatever else stands there is no reason to turn an account away, and no number to offer to a finder.
      substring(new.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
    )
    on conflict (id) do nothing;
  return null;
end
$$;

create trigger users_create_profile after insert on auth.users
  for each row execute function internal.create_profile_of_new_user();

-- The profile's address follows the account's: it changes only where a link has proved it.
create function internal.follow_email_of_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.profiles set email = new.email where id = new.id and email is distinct from new.email;
  return null;
end
$$;

create trigger users_follow_email after update of email on auth.users
  for each row execute function internal.follow_email_of_user();

-- Runs inside the transaction that confirms an account: the code in hand at registration becomes the first item.
-- Returns whether it did; a code that somebody else has, or that has an item, is left as it is.
create function internal.tag_at_registration(user_id_param uuid, qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.items (qr_id, user_id, item_type, item_name, description)
    values (qr_id_param, user_id_param, 'other', 'My Tagged Item', 'Item tagged during registration');
  return true;
exception when unique_violation or invalid_parameter_value or check_violation then
  return false;
end
$$;

-- Who holds a code: the caller's own id for the caller's own code, for somebody else's a reference that is
-- different for every code and leads nowhere, and nothing for an unclaimed one.
create function public.get_qr_code_owner(qr_id_param text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  holder uuid;
begin
  select owner_id into holder from public.qr_codes where qr_id = qr_id_param;
  if holder is null or holder = (select auth.uid()) then
    return holder;
  end if;
  return left(encode(sha256(convert_to(
    (select value from internal.secrets where name = 'owner_reference') || ':' || qr_id_param || ':' || holder, 'UTF8'
  )), 'hex'), 32)::uuid;
end
$$;

create function public.register_qr_code(qr_id_param text, user_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if user_id_param is distinct from (select auth.uid()) then
    raise exception 'A code can be registered only for the account that asks' using errcode = '42501';
  end if;
  perform internal.claim_code(qr_id_param, user_id_param);
end
$$;

create function internal.first_name(full_name text) returns text
  language sql immutable
  as $$ select coalesce(nullif(split_part(btrim(full_name), ' ', 1), ''), 'Item Owner') $$;

-- All that a finder may know of an item, and null for a code without one. The only read that needs no account.
create function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
begin
  select jsonb_build_object(
      'item_type', item.item_type,
      'item_name', item.item_name,
      'photo', null,
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

-- The address behind a channel, for the one answer that may carry it: the redirect to a visitor who chose it.
-- Null where the channel is closed. The choice is recorded, so that the owner sees it.
create table public.channel_openings (
  id uuid primary key default gen_random_uuid(),
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  channel text not null check (channel in ('whatsapp', 'call', 'email')),
  -- To the hour, so that it says nothing of where somebody was when.
  opened_at timestamptz not null default date_trunc('hour', now())
);
create index channel_openings_item on public.channel_openings (item_id, opened_at desc);
create index channel_openings_owner on public.channel_openings (owner_id, opened_at desc);
alter table public.channel_openings enable row level security;
alter table public.channel_openings force row level security;
create policy "owners see who opened a channel" on public.channel_openings
  for select to authenticated using (owner_id = (select auth.uid()));
grant select on public.channel_openings to authenticated;
grant select, insert, update, delete on public.channel_openings to service_role;

create function internal.open_channel(qr_id_param text, channel_param text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  select * into item from public.items where qr_id = qr_id_param;
  select * into owner from public.profiles where id = item.user_id;
  address := case channel_param
    when 'whatsapp' then case when coalesce(item.whatsapp_enabled, owner.whatsapp_enabled) then owner.phone end
    when 'call' then case when coalesce(item.call_enabled, owner.call_enabled) then owner.phone end
    when 'email' then case when coalesce(item.email_enabled, owner.email_enabled) then owner.email end
  end;
  if address is not null then
    insert into public.channel_openings (item_id, owner_id, channel) values (item.id, item.user_id, channel_param);
  end if;
  return address;
end
$$;

-- Every server drops its finished page of a code when what that page shows has changed.
create function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name = 'items' then
    perform pg_notify('item_changed', coalesce(new.qr_id, old.qr_id));
  else
    perform pg_notify('item_changed', qr_id) from public.items where user_id = coalesce(new.id, old.id);
  end if;
  return null;
end
$$;

create trigger items_announce after insert or update or delete on public.items
  for each row execute function internal.announce_item_change();
create trigger profiles_announce after update or delete on public.profiles
  for each row execute function internal.announce_item_change();

-- Whether an e-mail address has an account that somebody has confirmed, in the words that the sign-up form shows.
-- The service limits how often an address may ask, and can hide the answer from everybody.
create function public.check_user_exists(email_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users
      where email = lower(btrim(email_param)) and deleted_at is null and confirmed_at is not null
  ) then
    return jsonb_build_object(
      'exists', true, 'message', 'An account with this email already exists. Please sign in instead.'
    );
  end if;
  return jsonb_build_object('exists', false, 'message', null);
end
$$;

-- Definer functions act as service_role, which passes row-level security, and not as whoever ran the migration.
grant create on schema public, internal to service_role;
do $$
declare
  definer regprocedure;
begin
  for definer in
    select oid::regprocedure from pg_proc
      where pronamespace in ('public'::regnamespace, 'internal'::regnamespace) and prosecdef
  loop
    execute format('alter function %s owner to service_role', definer);
  end loop;
end
$$;
revoke create on schema public, internal from service_role;

grant execute on function public.find_item(text), public.get_qr_code_owner(text), public.check_user_exists(text)
  to anon, authenticated, service_role;
grant execute on function public.register_qr_code(text, uuid) to authenticated, service_role;
grant execute on function internal.claim_code(text, uuid), internal.open_channel(text, text),
  internal.tag_at_registration(uuid, text), internal.is_claimable_code(text), internal.first_name(text) to service_role;
