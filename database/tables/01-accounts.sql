create table auth.users (
  instance_id uuid,
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  phone text,
  phone_confirmed_at timestamptz,
  -- Set by the proof that comes first: an account without it cannot sign in.
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  registrations integer not null default 1 check (registrations > 0),
  confirmation_sent_at timestamptz,
  invited_at timestamptz,
  recovery_sent_at timestamptz,
  new_email text,
  email_change_sent_at timestamptz,
  new_phone text,
  phone_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}'::jsonb,
  raw_user_meta_data jsonb not null default '{}'::jsonb,
  is_super_admin boolean,
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  email_change_awaits text[] not null default '{}'::text[] check (email_change_awaits <@ array['email_change_current',
    'email_change_new']),
  -- What the account says its address is, where nobody has proved that. Any number of accounts may claim one.
  claimed_email text,
  -- SHA-256 of the device cookie of the browser that registered; empty where an operator did.
  registered_on bytea,
  -- The number, in E.164, that the code of a pending registration goes to; null where it goes to the address.
  registration_phone text,
  lost_email_hash bytea,
  constraint users_claimed_email_is_lower_case check (claimed_email = lower(claimed_email)),
  constraint users_claimed_email_length check (char_length(claimed_email) <= 254),
  constraint users_email_is_lower_case check (email = lower(email)),
  constraint users_email_is_proved check (email is null or email_confirmed_at is not null or deleted_at is not null),
  constraint users_email_length check (char_length(email) <= 254),
  constraint users_one_address check (email is null or claimed_email is null),
  constraint users_phone_is_digits check (phone ~ '^[1-9][0-9]{1,14}$')
);

comment on column auth.users.email is 'The address that the account has proved. Of a deleted account, a fingerprint.';
comment on column auth.users.encrypted_password is 'A password hash in PHC format (Argon2id), or one of bcrypt that was imported, until its first sign-in. The name is the one that fixtures use.';
comment on column auth.users.phone is 'E.164 without the plus: a number that its owner has proved, or that an operator set.';
comment on column auth.users.registrations is 'How many registrations one browser, or the operator, made before one was confirmed. Each replaced the one before.';
comment on column auth.users.claimed_email is 'The address that the account says is its own, which nobody has proved. It is not unique.';
comment on column auth.users.registered_on is 'SHA-256 of the device cookie of the browser that registered; empty where an operator did. Each browser has one pending registration for each recipient of an address.';
comment on column auth.users.lost_email_hash is 'SHA-256 of the address that the account claimed until another account proved it, or its reader disowned it. It names the account at a sign-in by password while the account has no address and no number of its own.';

create index users_age on auth.users (created_at desc, id);
create index users_anonymous on auth.users (created_at) where is_anonymous and deleted_at is null;
create index users_claimed_email on auth.users (claimed_email) where claimed_email is not null;
create unique index users_email on auth.users (email) where deleted_at is null;
create index users_imported_cost on auth.users ((substr(encrypted_password, 5, 2))) where encrypted_password like '$2%';
create index users_lost_email on auth.users (lost_email_hash) where lost_email_hash is not null;
create index users_new_email on auth.users (new_email) where (new_email is not null) and deleted_at is null;
create index users_new_phone on auth.users (new_phone) where (new_phone is not null) and deleted_at is null;
create unique index users_phone on auth.users (phone) where deleted_at is null;
create index users_unconfirmed on auth.users (created_at) where (confirmed_at is null) and last_sign_in_at is null and
  deleted_at is null and (not is_anonymous);

create trigger users_announce_access after update of banned_until, deleted_at on auth.users
  for each row when (old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from
    new.deleted_at)
  execute function internal.announce_account_access();
create trigger users_audit after insert or delete or update on auth.users
  for each row execute function internal.audit_account();
create trigger users_clean before insert or update of raw_user_meta_data on auth.users
  for each row when (jsonb_typeof(new.raw_user_meta_data -> 'full_name') = 'string')
  execute function internal.clean_account();
create trigger users_create_profile after insert on auth.users
  for each row execute function internal.create_profile_of_new_user();
create trigger users_end_pending_changes after update of encrypted_password on auth.users
  for each row when (old.confirmed_at is not null and old.encrypted_password is distinct from new.encrypted_password)
  execute function internal.end_pending_changes_with_password();
create trigger users_follow_email after update of email, claimed_email on auth.users
  for each row execute function internal.follow_email_of_user();
create trigger users_follow_phone after update of phone on auth.users
  for each row when (new.phone is not null and new.phone is distinct from old.phone)
  execute function internal.follow_phone_of_user();
create trigger users_forget_lost_email before update of email, phone, deleted_at on auth.users
  for each row when (new.lost_email_hash is not null and (new.email is not null or new.phone is not null or
    new.deleted_at is not null))
  execute function internal.forget_lost_email();
create trigger users_forget_offers after delete on auth.users
  for each row when (old.email is not null) execute function internal.forget_offers_to_account();
create trigger users_forget_offers_when_marked after update of deleted_at on auth.users
  for each row when (old.email is not null and old.deleted_at is null and new.deleted_at is not null)
  execute function internal.forget_offers_to_account();
create trigger users_hold_batches before delete on auth.users
  for each row execute function internal.hold_batches_of_account();
create trigger users_note_ending after delete on auth.users
  for each row execute function internal.note_ending('id');
create trigger users_note_endings after update of banned_until, encrypted_password, email, phone on auth.users
  for each row when (pg_catalog.current_setting('internal.same_password', true) is distinct from 'on')
  execute function internal.note_ending('id', 'banned_until', 'encrypted_password', 'email', 'phone');
create trigger users_touch before update on auth.users
  for each row execute function internal.touch_updated_at();

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}'::jsonb,
  email text generated always as (lower((identity_data ->> 'email'))) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_provider_id unique (provider, provider_id)
);

create index identities_user on auth.identities (user_id);

create trigger identities_audit after insert or delete on auth.identities
  for each row execute function internal.audit_identity();
create trigger identities_note_ending after delete on auth.identities
  for each row execute function internal.note_ending('id');

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
  updated_at timestamptz not null default now(),
  avatar text collate "C",
  ways_chosen_at timestamptz,
  seen_shown boolean not null default true,
  email_refused_at timestamptz,
  language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$')
);

comment on column public.profiles.phone is 'E.164 with the plus.';
comment on column public.profiles.email_refused_at is 'When the mail server of the address last refused it for good; null once it takes an email.';
comment on column public.profiles.avatar is 'The name of an object of its owner in the bucket avatars.';
comment on column public.profiles.language is 'In which the account is written to; null for that of the installation. BCP 47.';
comment on column public.profiles.seen_shown is 'Whether finders read that the owner has seen their messages.';

create unique index profiles_avatar on public.profiles (avatar);

create policy "owners change their own profile" on public.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));
create policy "owners make their own profile" on public.profiles
  for insert to authenticated
  with check (id = (select auth.uid()));
create policy "owners read their own profile" on public.profiles
  for select to authenticated
  using (id = (select auth.uid()));

create trigger profiles_announce after update on public.profiles
  for each row when (old.full_name is distinct from new.full_name or old.email is distinct from new.email or old.phone
    is distinct from new.phone or old.whatsapp_enabled is distinct from new.whatsapp_enabled or old.call_enabled is
    distinct from new.call_enabled or old.email_enabled is distinct from new.email_enabled or old.message_enabled is
    distinct from new.message_enabled)
  execute function internal.announce_item_change();
create trigger profiles_announce_new after insert on public.profiles
  for each row execute function internal.announce_item_change();
create trigger profiles_announce_removed after delete on public.profiles
  for each row execute function internal.announce_item_change();
create trigger profiles_clean before insert or update of full_name on public.profiles
  for each row execute function internal.clean_profile();
create trigger profiles_delete_avatar after delete on public.profiles
  for each row when (old.avatar is not null) execute function internal.take_down_picture('avatars', 'avatar', 'id');
create trigger profiles_keep_proved_phone before update of phone on public.profiles
  for each row when (new.phone is distinct from old.phone) execute function internal.keep_proved_phone();
create trigger profiles_note_endings after update of phone, whatsapp_enabled, call_enabled, email_enabled,
  message_enabled, seen_shown on public.profiles
  for each row execute function internal.note_ending('id', 'phone', 'whatsapp_enabled', 'call_enabled', 'email_enabled',
    'message_enabled', 'seen_shown');
create trigger profiles_note_shown_change after update of full_name, whatsapp_enabled, call_enabled, email_enabled,
  message_enabled on public.profiles
  for each row when (old.* is distinct from new.*) execute function internal.note_shown_change('finders_page_changed', 'id');
create trigger profiles_replace_avatar after update of avatar on public.profiles
  for each row when (old.avatar is not null and old.avatar is distinct from new.avatar)
  execute function internal.take_down_picture('avatars', 'avatar', 'id');
create trigger profiles_require_avatar before insert or update of avatar on public.profiles
  for each row when (new.avatar is not null) execute function internal.require_own_picture('avatars', 'avatar', 'id');
create trigger profiles_touch before update on public.profiles
  for each row execute function internal.touch_updated_at();

grant select on public.profiles to anon;
grant select, insert (id, full_name), update (full_name, phone, whatsapp_enabled, call_enabled, email_enabled,
  message_enabled, avatar, ways_chosen_at, seen_shown, language) on public.profiles to authenticated;

-- Who may use the console. Metadata of an account never grants the role.
create table internal.operators (
  user_id uuid primary key references auth.users on delete cascade,
  created_at timestamptz not null default now()
);

create trigger operators_audit after insert or delete on internal.operators
  for each row execute function internal.audit_operator();
create trigger operators_note_ending after delete on internal.operators
  for each row execute function internal.note_ending('user_id');

grant select, insert, delete on internal.operators to service_role;
