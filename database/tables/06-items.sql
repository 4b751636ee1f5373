create table public.items (
  id uuid primary key default gen_random_uuid(),
  qr_id text unique references public.qr_codes (qr_id),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  item_type text not null check (item_type in ('bag', 'backpack', 'suitcase', 'laptop', 'phone', 'charger',
    'headphones', 'airpods', 'keys', 'wallet', 'book', 'umbrella', 'watch', 'glasses', 'pen', 'bottle', 'battery',
    'bike', 'pet', 'baby', 'custom', 'other')),
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
  updated_at timestamptz not null default now(),
  photo text collate "C",
  reward text check (char_length(reward) <= 100),
  given_at timestamptz,
  constraint items_code_until_given check ((qr_id is null) = (given_at is not null))
);

comment on column public.items.photo is 'The name of an object of its owner in the bucket item-photos.';
comment on column public.items.reward is 'What the owner promises to the finder, as one line of text.';
comment on column public.items.given_at is 'When it was given to another account. The row is then its former owner''s record, which clients do not read.';

create index items_given on public.items (user_id, given_at desc) where given_at is not null;
create index items_given_age on public.items (given_at) where given_at is not null;
create index items_owner on public.items (user_id, created_at desc);
create unique index items_photo on public.items (photo);

create policy "owners change their own items" on public.items
  for update to authenticated
  using (user_id = (select auth.uid()) and given_at is null)
  with check (user_id = (select auth.uid()) and given_at is null);
create policy "owners delete their own items" on public.items
  for delete to authenticated
  using (user_id = (select auth.uid()) and given_at is null);
create policy "owners read their own items" on public.items
  for select to authenticated
  using (user_id = (select auth.uid()) and given_at is null);
create policy "owners tag their own items" on public.items
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create trigger items_announce after insert or delete or update on public.items
  for each row execute function internal.announce_item_change();
create trigger items_claim_code before insert on public.items
  for each row execute function internal.claim_code_of_new_item();
create trigger items_clean before insert or update of item_name, description, note_to_finders, reward on public.items
  for each row execute function internal.clean_item();
create trigger items_delete_photo after delete on public.items
  for each row when (old.photo is not null)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');
create trigger items_enqueue_contact_notices after update of lost_at on public.items
  for each row when (old.lost_at is null and new.lost_at is not null)
  execute function internal.enqueue_notices_of_lost_item();
create trigger items_free_code after delete on public.items
  for each row execute function internal.free_code_of_deleted_item();
create trigger items_hold_quota after insert on public.items referencing new table as added
  for each statement execute function internal.hold_items_quota();
create trigger items_note_deleted after delete on public.items referencing old table as gone
  for each statement execute function internal.note_deleted_items();
create trigger items_note_ending after delete on public.items
  for each row execute function internal.note_ending('id');
create trigger items_note_endings after update of whatsapp_enabled, call_enabled, email_enabled, message_enabled on
  public.items
  for each row execute function internal.note_ending('id', 'whatsapp_enabled', 'call_enabled', 'email_enabled',
    'message_enabled');
create trigger items_note_shown_change after update of item_type, item_name, note_to_finders, reward, lost_at,
  whatsapp_enabled, call_enabled, email_enabled, message_enabled on public.items
  for each row when (old.* is distinct from new.*) execute function internal.note_shown_change('finders_page_changed', 'user_id');
create trigger items_refuse_further_code before update of qr_id on public.items
  for each row execute function internal.refuse_further_code();
create trigger items_replace_photo after update of photo on public.items
  for each row when (old.photo is not null and old.photo is distinct from new.photo and new.given_at is null)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');
create trigger items_require_photo before insert or update of photo, user_id on public.items
  for each row when (new.photo is not null)
  execute function internal.require_own_picture('item-photos', 'photo', 'user_id');
create trigger items_touch before update on public.items
  for each row execute function internal.touch_updated_at();
create trigger realtime_capture after insert or delete or update on public.items
  for each row execute function realtime.capture_change('id');

grant select on public.items to anon;
grant select, insert (qr_id, user_id, item_type, item_name, description, note_to_finders, reward), update (item_type,
  item_name, description, note_to_finders, lost_at, whatsapp_enabled, call_enabled, email_enabled, message_enabled,
  photo, reward), delete on public.items to authenticated;

-- That a visitor chose a contact method, so that the owner sees it.
create table public.channel_openings (
  id uuid primary key default gen_random_uuid(),
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  channel text not null check (channel in ('whatsapp', 'call', 'email')),
  -- To the hour, so that it does not tell where a person was when.
  opened_at timestamptz not null default date_trunc('hour', now())
);

create index channel_openings_item on public.channel_openings (item_id, opened_at desc);
create index channel_openings_owner on public.channel_openings (owner_id, opened_at desc);

create policy "owners see who opened a channel" on public.channel_openings
  for select to authenticated
  using (owner_id = (select auth.uid()));

create trigger openings_keep_newest after insert on public.channel_openings
  for each row execute function internal.keep_newest_openings();
create trigger realtime_capture after insert or delete or update on public.channel_openings
  for each row execute function realtime.capture_change('id');

grant select on public.channel_openings to authenticated;
