-- What the migrations of this folder add up to, for reading and for reviews: never edited, never run.
-- Written by `npm run schema:dump`; a test fails when it is not what a new database has.

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
-- A new function is granted to nobody.

-- ------------------------------------------------------------ public
grant usage on schema public to anon;
grant usage on schema public to authenticated;
grant usage on schema public to service_role;

create table public.channel_openings (
  id uuid not null default gen_random_uuid(),
  item_id uuid not null,
  owner_id uuid not null,
  channel text not null,
  opened_at timestamp with time zone not null default date_trunc('hour'::text, now()),
  constraint channel_openings_pkey PRIMARY KEY (id),
  constraint channel_openings_item_id_fkey FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE,
  constraint channel_openings_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint channel_openings_channel_check CHECK (channel = ANY (ARRAY['whatsapp'::text, 'call'::text, 'email'::text]))
);
alter table public.channel_openings enable row level security;
alter table public.channel_openings force row level security;
CREATE INDEX channel_openings_item ON public.channel_openings USING btree (item_id, opened_at DESC);
CREATE INDEX channel_openings_owner ON public.channel_openings USING btree (owner_id, opened_at DESC);
create policy "owners see who opened a channel" on public.channel_openings
  for select to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER openings_keep_newest AFTER INSERT ON public.channel_openings FOR EACH ROW EXECUTE FUNCTION internal.keep_newest_openings();
CREATE TRIGGER realtime_capture AFTER INSERT OR DELETE OR UPDATE ON public.channel_openings FOR EACH ROW EXECUTE FUNCTION realtime.capture_change('id');
grant select on table public.channel_openings to authenticated;
grant select, insert, update, delete on table public.channel_openings to service_role;

create table public.conversations (
  id uuid not null default internal.time_ordered_id(),
  item_id uuid not null,
  owner_id uuid not null,
  finder_key_hash bytea,
  created_at timestamp with time zone not null default now(),
  replied_at timestamp with time zone,
  returned_at timestamp with time zone,
  delivered_until timestamp with time zone,
  muted_at timestamp with time zone,
  blocked_at timestamp with time zone,
  texted_at timestamp with time zone,
  reminded_at timestamp with time zone,
  contacted_at timestamp with time zone,
  shown_until timestamp with time zone,
  shown_at timestamp with time zone,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_finder_key_hash_key UNIQUE (finder_key_hash),
  constraint conversations_item_id_fkey FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE,
  constraint conversations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table public.conversations enable row level security;
alter table public.conversations force row level security;
comment on column public.conversations.replied_at is 'When the owner first replied.';
comment on column public.conversations.returned_at is 'When the owner said that they have the item back. Null again after a further message from the finder.';
comment on column public.conversations.delivered_until is 'When the newest of the finder''s messages of which a notice has left was written.';
comment on column public.conversations.muted_at is 'Since when the owner gets no notices of its messages. They arrive all the same.';
comment on column public.conversations.blocked_at is 'Since when the finder''s messages are refused.';
comment on column public.conversations.texted_at is 'When the owner last got an SMS about it.';
comment on column public.conversations.reminded_at is 'When the owner last got a reminder of it.';
comment on column public.conversations.contacted_at is 'When a second contact of the owner was last notified of it.';
comment on column public.conversations.shown_until is 'When the newest of the finder''s messages that a screen of the owner''s has counted was written.';
comment on column public.conversations.shown_at is 'When it has counted that one.';
CREATE INDEX conversations_item ON public.conversations USING btree (item_id);
CREATE INDEX conversations_owner ON public.conversations USING btree (owner_id);
CREATE INDEX conversations_without_reply ON public.conversations USING btree (item_id, created_at) WHERE (replied_at IS NULL);
create policy "owners close and reopen their own conversations" on public.conversations
  for update to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)))
  with check (owner_id = (( SELECT auth.uid() AS uid)));
create policy "owners delete their own conversations" on public.conversations
  for delete to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own conversations" on public.conversations
  for select to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER conversations_keep_block BEFORE DELETE ON public.conversations FOR EACH ROW WHEN (old.blocked_at IS NOT NULL) EXECUTE FUNCTION internal.keep_block();
CREATE TRIGGER conversations_refuse_blocked AFTER INSERT ON public.conversations FOR EACH ROW EXECUTE FUNCTION internal.refuse_blocked_conversation();
grant select (id, item_id, owner_id, created_at, returned_at, muted_at, blocked_at), update (returned_at, muted_at, blocked_at), delete on table public.conversations to authenticated;
grant select, insert, update, delete on table public.conversations to service_role;

create table public.item_offers (
  id uuid not null default gen_random_uuid(),
  giver_id uuid not null,
  item_id uuid not null,
  email text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '14 days'::interval),
  declined_at timestamp with time zone,
  accepted_at timestamp with time zone,
  received_id uuid,
  constraint item_offers_pkey PRIMARY KEY (id),
  constraint item_offers_giver_id_fkey FOREIGN KEY (giver_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint item_offers_item_id_fkey FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE,
  constraint item_offers_received_id_fkey FOREIGN KEY (received_id) REFERENCES public.items(id) ON DELETE SET NULL,
  constraint item_offers_address_until_acceptance CHECK (email IS NOT NULL OR accepted_at IS NOT NULL),
  constraint item_offers_email_check CHECK (char_length(email) <= 254 AND email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'::text),
  constraint item_offers_one_end CHECK (num_nonnulls(declined_at, accepted_at) <= 1),
  constraint item_offers_received_with_acceptance CHECK (received_id IS NULL OR accepted_at IS NOT NULL)
);
alter table public.item_offers enable row level security;
alter table public.item_offers force row level security;
comment on table public.item_offers is 'Items that are offered to the reader of an address.';
comment on column public.item_offers.item_id is 'The item of the giver; after the acceptance, their record of it.';
comment on column public.item_offers.email is 'The address that accepts it, in the form in which auth.users has it. Null once its account is deleted.';
comment on column public.item_offers.received_id is 'After the acceptance, the item of the new owner.';
CREATE INDEX item_offers_email ON public.item_offers USING btree (email);
CREATE INDEX item_offers_expires ON public.item_offers USING btree (expires_at);
CREATE INDEX item_offers_giver ON public.item_offers USING btree (giver_id);
CREATE INDEX item_offers_item ON public.item_offers USING btree (item_id);
CREATE UNIQUE INDEX item_offers_pending ON public.item_offers USING btree (item_id) WHERE (accepted_at IS NULL);
CREATE INDEX item_offers_received ON public.item_offers USING btree (received_id) WHERE (received_id IS NOT NULL);
create policy "owners cancel their own offers" on public.item_offers
  for delete to authenticated
  using (giver_id = (( SELECT auth.uid() AS uid)) AND accepted_at IS NULL);
create policy "owners read their own offers" on public.item_offers
  for select to authenticated
  using (giver_id = (( SELECT auth.uid() AS uid)));
grant select (id, giver_id, item_id, email, created_at, expires_at, declined_at, accepted_at), delete on table public.item_offers to authenticated;
grant select, insert, update, delete on table public.item_offers to service_role;

create table public.items (
  id uuid not null default gen_random_uuid(),
  qr_id text,
  user_id uuid not null default auth.uid(),
  item_type text not null,
  item_name text not null,
  description text,
  note_to_finders text,
  lost_at timestamp with time zone,
  whatsapp_enabled boolean,
  call_enabled boolean,
  email_enabled boolean,
  message_enabled boolean,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  photo text collate "C",
  reward text,
  given_at timestamp with time zone,
  constraint items_pkey PRIMARY KEY (id),
  constraint items_qr_id_key UNIQUE (qr_id),
  constraint items_qr_id_fkey FOREIGN KEY (qr_id) REFERENCES public.qr_codes(qr_id),
  constraint items_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint items_code_until_given CHECK ((qr_id IS NULL) = (given_at IS NOT NULL)),
  constraint items_description_check CHECK (char_length(description) <= 1000),
  constraint items_item_name_check CHECK (char_length(btrim(item_name)) >= 1 AND char_length(btrim(item_name)) <= 100),
  constraint items_item_type_check CHECK (item_type = ANY (ARRAY['bag'::text, 'backpack'::text, 'suitcase'::text, 'laptop'::text, 'phone'::text, 'charger'::text, 'headphones'::text, 'airpods'::text, 'keys'::text, 'wallet'::text, 'book'::text, 'umbrella'::text, 'watch'::text, 'glasses'::text, 'pen'::text, 'bottle'::text, 'battery'::text, 'bike'::text, 'pet'::text, 'baby'::text, 'custom'::text, 'other'::text])),
  constraint items_note_to_finders_check CHECK (char_length(note_to_finders) <= 250),
  constraint items_reward_check CHECK (char_length(reward) <= 100)
);
alter table public.items enable row level security;
alter table public.items force row level security;
comment on column public.items.photo is 'The name of an object of its owner in the bucket item-photos.';
comment on column public.items.reward is 'What the owner promises to the finder, as one line of text.';
comment on column public.items.given_at is 'When it was given to another account. The row is then its former owner''s record, which clients do not read.';
CREATE INDEX items_given ON public.items USING btree (user_id, given_at DESC) WHERE (given_at IS NOT NULL);
CREATE INDEX items_given_age ON public.items USING btree (given_at) WHERE (given_at IS NOT NULL);
CREATE INDEX items_owner ON public.items USING btree (user_id, created_at DESC);
CREATE UNIQUE INDEX items_photo ON public.items USING btree (photo);
create policy "owners change their own items" on public.items
  for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND given_at IS NULL)
  with check (user_id = (( SELECT auth.uid() AS uid)) AND given_at IS NULL);
create policy "owners delete their own items" on public.items
  for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND given_at IS NULL);
create policy "owners read their own items" on public.items
  for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND given_at IS NULL);
create policy "owners tag their own items" on public.items
  for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER items_announce AFTER INSERT OR DELETE OR UPDATE ON public.items FOR EACH ROW EXECUTE FUNCTION internal.announce_item_change();
CREATE TRIGGER items_claim_code BEFORE INSERT ON public.items FOR EACH ROW EXECUTE FUNCTION internal.claim_code_of_new_item();
CREATE TRIGGER items_clean BEFORE INSERT OR UPDATE OF item_name, description, note_to_finders, reward ON public.items FOR EACH ROW EXECUTE FUNCTION internal.clean_item();
CREATE TRIGGER items_delete_photo AFTER DELETE ON public.items FOR EACH ROW WHEN (old.photo IS NOT NULL) EXECUTE FUNCTION internal.take_down_picture('item-photos', 'photo', 'user_id');
CREATE TRIGGER items_enqueue_contact_notices AFTER UPDATE OF lost_at ON public.items FOR EACH ROW WHEN (old.lost_at IS NULL AND new.lost_at IS NOT NULL) EXECUTE FUNCTION internal.enqueue_notices_of_lost_item();
CREATE TRIGGER items_free_code AFTER DELETE ON public.items FOR EACH ROW EXECUTE FUNCTION internal.free_code_of_deleted_item();
CREATE TRIGGER items_hold_quota AFTER INSERT ON public.items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION internal.hold_items_quota();
CREATE TRIGGER items_refuse_further_code BEFORE UPDATE OF qr_id ON public.items FOR EACH ROW EXECUTE FUNCTION internal.refuse_further_code();
CREATE TRIGGER items_replace_photo AFTER UPDATE OF photo ON public.items FOR EACH ROW WHEN (old.photo IS NOT NULL AND old.photo IS DISTINCT FROM new.photo AND new.given_at IS NULL) EXECUTE FUNCTION internal.take_down_picture('item-photos', 'photo', 'user_id');
CREATE TRIGGER items_require_photo BEFORE INSERT OR UPDATE OF photo, user_id ON public.items FOR EACH ROW WHEN (new.photo IS NOT NULL) EXECUTE FUNCTION internal.require_own_picture('item-photos', 'photo', 'user_id');
CREATE TRIGGER items_touch BEFORE UPDATE ON public.items FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
CREATE TRIGGER realtime_capture AFTER INSERT OR DELETE OR UPDATE ON public.items FOR EACH ROW EXECUTE FUNCTION realtime.capture_change('id');
grant select on table public.items to anon;
grant select, insert (qr_id, user_id, item_type, item_name, description, note_to_finders, reward), update (item_type, item_name, description, note_to_finders, lost_at, whatsapp_enabled, call_enabled, email_enabled, message_enabled, photo, reward), delete on table public.items to authenticated;
grant select, insert, update, delete on table public.items to service_role;

create table public.measured_labels (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  name text not null,
  page text not null,
  label_width numeric(4,1) not null,
  label_height numeric(4,1) not null,
  columns integer not null,
  rows integer not null,
  margin_left numeric(4,1) not null,
  margin_top numeric(4,1) not null,
  gap_x numeric(4,1) not null,
  gap_y numeric(4,1) not null,
  created_at timestamp with time zone not null default now(),
  shape text not null default 'rectangle'::text,
  constraint measured_labels_pkey PRIMARY KEY (id),
  constraint measured_labels_user_id_name_key UNIQUE (user_id, name),
  constraint measured_labels_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint measured_labels_columns_check CHECK (columns >= 1 AND columns <= 14),
  constraint measured_labels_gap_x_check CHECK (gap_x >= 0::numeric AND gap_x <= 50::numeric),
  constraint measured_labels_gap_y_check CHECK (gap_y >= 0::numeric AND gap_y <= 50::numeric),
  constraint measured_labels_label_height_check CHECK (label_height >= 15::numeric AND label_height <= 297::numeric),
  constraint measured_labels_label_width_check CHECK (label_width >= 15::numeric AND label_width <= 297::numeric),
  constraint measured_labels_margin_left_check CHECK (margin_left >= 0::numeric AND margin_left <= 100::numeric),
  constraint measured_labels_margin_top_check CHECK (margin_top >= 0::numeric AND margin_top <= 100::numeric),
  constraint measured_labels_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 40 AND name ~ '^[^[:cntrl:]]+$'::text AND name = btrim(name)),
  constraint measured_labels_page_check CHECK (page = ANY (ARRAY['a4'::text, 'letter'::text, 'label'::text])),
  constraint measured_labels_roll_check CHECK (page <> 'label'::text OR columns = 1 AND rows = 1 AND margin_left = 0::numeric AND margin_top = 0::numeric AND gap_x = 0::numeric AND gap_y = 0::numeric),
  constraint measured_labels_round_check CHECK (shape <> 'round'::text OR label_width = label_height),
  constraint measured_labels_rows_check CHECK (rows >= 1 AND rows <= 19),
  constraint measured_labels_shape_check CHECK (shape = ANY (ARRAY['rectangle'::text, 'round'::text]))
);
alter table public.measured_labels enable row level security;
alter table public.measured_labels force row level security;
comment on table public.measured_labels is 'Sheets of labels that owners measured with a ruler. Lengths are in millimeters.';
comment on column public.measured_labels.page is 'The paper; ''label'' for a roll, whose page is one label.';
comment on column public.measured_labels.margin_left is 'From the left edge of the paper to the first label.';
comment on column public.measured_labels.margin_top is 'From the upper edge of the paper to the first label.';
comment on column public.measured_labels.gap_x is 'Between two labels side by side.';
comment on column public.measured_labels.gap_y is 'Between two labels below each other.';
create policy "owners change their own measured labels" on public.measured_labels
  for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners delete their own measured labels" on public.measured_labels
  for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own measured labels" on public.measured_labels
  for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners save their own measured labels" on public.measured_labels
  for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER measured_labels_hold_quota AFTER INSERT ON public.measured_labels REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION internal.hold_measured_labels_quota();
grant select, insert, update (name, page, label_width, label_height, columns, rows, margin_left, margin_top, gap_x, gap_y, shape), delete on table public.measured_labels to authenticated;
grant select, insert, update, delete on table public.measured_labels to service_role;

create table public.messages (
  id uuid not null default internal.time_ordered_id(),
  conversation_id uuid not null,
  item_id uuid not null,
  owner_id uuid not null,
  sender text not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  kind text not null default 'text'::text,
  place text,
  latitude numeric(7,5),
  longitude numeric(8,5),
  location_exact boolean,
  by_contact boolean not null default false,
  photo boolean not null default false,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE,
  constraint messages_item_id_fkey FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE,
  constraint messages_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint messages_body_check CHECK (char_length(body) >=
CASE
    WHEN kind = 'text'::text THEN 1
    ELSE 0
END AND char_length(body) <= 250),
  constraint messages_kind_check CHECK (kind = ANY (ARRAY['text'::text, 'have_it'::text, 'left_it'::text, 'saw_it'::text, 'photo'::text])),
  constraint messages_latitude_check CHECK (latitude >= '-90'::integer::numeric AND latitude <= 90::numeric),
  constraint messages_location_check CHECK (num_nulls(latitude, longitude, location_exact) = ANY (ARRAY[0, 3])),
  constraint messages_longitude_check CHECK (longitude >= '-180'::integer::numeric AND longitude <= 180::numeric),
  constraint messages_of_owners_check CHECK (sender = 'finder'::text OR kind = 'text'::text AND place IS NULL AND latitude IS NULL),
  constraint messages_place_check CHECK (char_length(place) >= 1 AND char_length(place) <= 100),
  constraint messages_sender_check CHECK (sender = ANY (ARRAY['finder'::text, 'owner'::text]))
);
alter table public.messages enable row level security;
alter table public.messages force row level security;
comment on column public.messages.location_exact is 'False where the location is rounded to a hundredth of a degree, about a kilometer.';
comment on column public.messages.by_contact is 'Whether a second contact wrote it for the owner.';
comment on column public.messages.photo is 'Whether a picture in the bucket message-photos has its id as name.';
CREATE INDEX messages_conversation ON public.messages USING btree (conversation_id, created_at);
CREATE INDEX messages_item ON public.messages USING btree (item_id, created_at DESC);
CREATE INDEX messages_owner ON public.messages USING btree (owner_id, created_at DESC);
CREATE INDEX messages_unread ON public.messages USING btree (owner_id, item_id) WHERE ((sender = 'finder'::text) AND (read_at IS NULL));
create policy "owners mark their own messages as read" on public.messages
  for update to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)))
  with check (owner_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own messages" on public.messages
  for select to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER messages_delete_photo AFTER DELETE ON public.messages FOR EACH ROW WHEN (old.photo) EXECUTE FUNCTION internal.take_down_message_photo();
CREATE TRIGGER messages_enqueue_contact_notices AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text AND NOT internal.is_muted(new.conversation_id)) EXECUTE FUNCTION internal.enqueue_contact_notices();
CREATE TRIGGER messages_enqueue_notice AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text) EXECUTE FUNCTION internal.enqueue_message_notice();
CREATE TRIGGER messages_enqueue_notices AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text AND NOT internal.is_muted(new.conversation_id)) EXECUTE FUNCTION internal.enqueue_message_notices();
CREATE TRIGGER messages_enqueue_pushes AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text AND NOT internal.is_muted(new.conversation_id)) EXECUTE FUNCTION internal.enqueue_message_pushes();
CREATE TRIGGER messages_enqueue_unseen_notices AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text AND NOT internal.is_muted(new.conversation_id)) EXECUTE FUNCTION internal.enqueue_unseen_notices();
CREATE TRIGGER messages_keep_newest AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION internal.keep_newest_messages();
CREATE TRIGGER messages_note_for_finder AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION internal.note_message_for_finder();
CREATE TRIGGER messages_note_reply AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'owner'::text) EXECUTE FUNCTION internal.note_reply();
CREATE TRIGGER messages_refuse_blocked AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text) EXECUTE FUNCTION internal.refuse_blocked_message();
CREATE TRIGGER messages_reopen_conversation AFTER INSERT ON public.messages FOR EACH ROW WHEN (new.sender = 'finder'::text) EXECUTE FUNCTION internal.reopen_conversation();
CREATE TRIGGER messages_stamp_read_time BEFORE UPDATE OF read_at ON public.messages FOR EACH ROW WHEN (new.read_at IS NOT NULL) EXECUTE FUNCTION internal.stamp_read_time();
CREATE TRIGGER realtime_capture AFTER INSERT OR DELETE OR UPDATE ON public.messages FOR EACH ROW EXECUTE FUNCTION realtime.capture_change('id');
grant select, update (read_at) on table public.messages to authenticated;
grant select, insert, update, delete on table public.messages to service_role;

create table public.notice_addresses (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null,
  name text not null,
  url text not null,
  token text,
  shows_text boolean not null default false,
  created_at timestamp with time zone not null default now(),
  attempted_at timestamp with time zone,
  last_status integer,
  delivered_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  retry_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint notice_addresses_pkey PRIMARY KEY (id),
  constraint notice_addresses_user_id_url_key UNIQUE (user_id, url),
  constraint notice_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint notice_addresses_kind_check CHECK (kind = ANY (ARRAY['webhook'::text, 'ntfy'::text])),
  constraint notice_addresses_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 40 AND name ~ '^[^[:cntrl:]]+$'::text AND name = btrim(name)),
  constraint notice_addresses_token_check CHECK (token ~ '^[A-Za-z0-9._~+/=-]+$'::text AND char_length(token) <= 200),
  constraint notice_addresses_token_of_ntfy CHECK (token IS NULL OR kind = 'ntfy'::text),
  constraint notice_addresses_url_check CHECK (url ~ '^https?://[!-~]+$'::text AND char_length(url) <= 1000)
);
alter table public.notice_addresses enable row level security;
alter table public.notice_addresses force row level security;
comment on column public.notice_addresses.token is 'The access token of an ntfy server. Only the service reads it.';
comment on column public.notice_addresses.shows_text is 'Whether it is told the item''s name and the text of messages.';
comment on column public.notice_addresses.attempted_at is 'When it was last sent something.';
comment on column public.notice_addresses.last_status is 'The HTTP status of that attempt; null where there was no response.';
comment on column public.notice_addresses.delivered_at is 'When it last accepted something.';
comment on column public.notice_addresses.failures is 'How many attempts have failed since.';
comment on column public.notice_addresses.ended_at is 'When it said that it no longer exists, or had failed for a day.';
CREATE INDEX notice_addresses_ended ON public.notice_addresses USING btree (ended_at) WHERE (ended_at IS NOT NULL);
create policy "owners change their own notice addresses" on public.notice_addresses
  for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners delete their own notice addresses" on public.notice_addresses
  for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own notice addresses" on public.notice_addresses
  for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER notice_addresses_audit AFTER INSERT OR DELETE ON public.notice_addresses FOR EACH ROW EXECUTE FUNCTION internal.audit_notice_address();
grant select (id, user_id, kind, name, url, shows_text, created_at, attempted_at, last_status, delivered_at, failing_since, ended_at), update (name, shows_text), delete on table public.notice_addresses to authenticated;
grant select, insert, update, delete on table public.notice_addresses to service_role;

create table public.notice_settings (
  user_id uuid not null,
  email boolean not null default true,
  push boolean not null default true,
  sms boolean not null default false,
  reminder boolean not null default true,
  quiet_from time(0) without time zone,
  quiet_to time(0) without time zone,
  time_zone text,
  updated_at timestamp with time zone not null default now(),
  constraint notice_settings_pkey PRIMARY KEY (user_id),
  constraint notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint notice_settings_quiet_hours CHECK ((num_nulls(quiet_from, quiet_to, time_zone) = ANY (ARRAY[0, 3])) AND quiet_from <> quiet_to AND quiet_from < '24:00:00'::time without time zone AND quiet_to < '24:00:00'::time without time zone),
  constraint notice_settings_time_zone_check CHECK (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'::text)
);
alter table public.notice_settings enable row level security;
alter table public.notice_settings force row level security;
comment on table public.notice_settings is 'What an account chose. One without a row has the defaults.';
comment on column public.notice_settings.email is 'Emails about messages. Without a browser that gets pushes they are sent all the same.';
comment on column public.notice_settings.sms is 'An SMS about messages that stay unseen for 15 minutes.';
comment on column public.notice_settings.reminder is 'An email about messages that stay unseen for a day.';
comment on column public.notice_settings.quiet_from is 'From here to quiet_to, by the clock of the time zone, SMS and pushes wait.';
create policy "owners change their own notice settings" on public.notice_settings
  for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners make their own notice settings" on public.notice_settings
  for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own notice settings" on public.notice_settings
  for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER notice_settings_audit AFTER INSERT OR UPDATE ON public.notice_settings FOR EACH ROW EXECUTE FUNCTION internal.audit_notice_settings();
CREATE TRIGGER notice_settings_check_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.notice_settings FOR EACH ROW WHEN (new.time_zone IS NOT NULL) EXECUTE FUNCTION internal.check_time_zone();
CREATE TRIGGER notice_settings_touch BEFORE UPDATE ON public.notice_settings FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select, insert (user_id, email, push, sms, reminder, quiet_from, quiet_to, time_zone), update (user_id, email, push, sms, reminder, quiet_from, quiet_to, time_zone) on table public.notice_settings to authenticated;
grant select, insert, update, delete on table public.notice_settings to service_role;

create table public.profiles (
  id uuid not null,
  full_name text,
  email text,
  phone text,
  whatsapp_enabled boolean not null default true,
  call_enabled boolean not null default true,
  email_enabled boolean not null default true,
  message_enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  avatar text collate "C",
  ways_chosen_at timestamp with time zone,
  seen_shown boolean not null default true,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_email_check CHECK (char_length(email) <= 254),
  constraint profiles_full_name_check CHECK (char_length(full_name) <= 200),
  constraint profiles_phone_check CHECK (phone ~ '^\+[1-9][0-9]{1,14}$'::text)
);
alter table public.profiles enable row level security;
alter table public.profiles force row level security;
comment on column public.profiles.phone is 'E.164 with the plus.';
comment on column public.profiles.avatar is 'The name of an object of its owner in the bucket avatars.';
comment on column public.profiles.seen_shown is 'Whether finders read that the owner has seen their messages.';
CREATE UNIQUE INDEX profiles_avatar ON public.profiles USING btree (avatar);
create policy "owners change their own profile" on public.profiles
  for update to authenticated
  using (id = (( SELECT auth.uid() AS uid)))
  with check (id = (( SELECT auth.uid() AS uid)));
create policy "owners make their own profile" on public.profiles
  for insert to authenticated
  with check (id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own profile" on public.profiles
  for select to authenticated
  using (id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER profiles_announce AFTER UPDATE ON public.profiles FOR EACH ROW WHEN (old.full_name IS DISTINCT FROM new.full_name OR old.email IS DISTINCT FROM new.email OR old.phone IS DISTINCT FROM new.phone OR old.whatsapp_enabled IS DISTINCT FROM new.whatsapp_enabled OR old.call_enabled IS DISTINCT FROM new.call_enabled OR old.email_enabled IS DISTINCT FROM new.email_enabled OR old.message_enabled IS DISTINCT FROM new.message_enabled) EXECUTE FUNCTION internal.announce_item_change();
CREATE TRIGGER profiles_announce_new AFTER INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION internal.announce_item_change();
CREATE TRIGGER profiles_announce_removed AFTER DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION internal.announce_item_change();
CREATE TRIGGER profiles_clean BEFORE INSERT OR UPDATE OF full_name ON public.profiles FOR EACH ROW EXECUTE FUNCTION internal.clean_profile();
CREATE TRIGGER profiles_delete_avatar AFTER DELETE ON public.profiles FOR EACH ROW WHEN (old.avatar IS NOT NULL) EXECUTE FUNCTION internal.take_down_picture('avatars', 'avatar', 'id');
CREATE TRIGGER profiles_keep_proved_phone BEFORE UPDATE OF phone ON public.profiles FOR EACH ROW WHEN (new.phone IS DISTINCT FROM old.phone) EXECUTE FUNCTION internal.keep_proved_phone();
CREATE TRIGGER profiles_replace_avatar AFTER UPDATE OF avatar ON public.profiles FOR EACH ROW WHEN (old.avatar IS NOT NULL AND old.avatar IS DISTINCT FROM new.avatar) EXECUTE FUNCTION internal.take_down_picture('avatars', 'avatar', 'id');
CREATE TRIGGER profiles_require_avatar BEFORE INSERT OR UPDATE OF avatar ON public.profiles FOR EACH ROW WHEN (new.avatar IS NOT NULL) EXECUTE FUNCTION internal.require_own_picture('avatars', 'avatar', 'id');
CREATE TRIGGER profiles_touch BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select on table public.profiles to anon;
grant select, insert (id, full_name), update (full_name, phone, whatsapp_enabled, call_enabled, email_enabled, message_enabled, avatar, ways_chosen_at, seen_shown) on table public.profiles to authenticated;
grant select, insert, update, delete on table public.profiles to service_role;

create table public.push_subscriptions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  session_id uuid not null,
  device text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  server_key text not null,
  shows_text boolean not null default false,
  created_at timestamp with time zone not null default now(),
  delivered_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  retry_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_session_id_key UNIQUE (session_id),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint push_subscriptions_auth_check CHECK (auth ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint push_subscriptions_device_check CHECK (char_length(device) <= 80),
  constraint push_subscriptions_endpoint_check CHECK (endpoint ~ '^https://[!-~]+$'::text AND char_length(endpoint) <= 1000),
  constraint push_subscriptions_p256dh_check CHECK (p256dh ~ '^B[A-Za-z0-9_-]{86}$'::text),
  constraint push_subscriptions_server_key_check CHECK (server_key ~ '^B[A-Za-z0-9_-]{86}$'::text)
);
alter table public.push_subscriptions enable row level security;
alter table public.push_subscriptions force row level security;
comment on column public.push_subscriptions.session_id is 'The session that made it, and with which it ends.';
comment on column public.push_subscriptions.server_key is 'The server''s public key that the browser made it for.';
comment on column public.push_subscriptions.shows_text is 'Whether pushes contain the text of messages, which a lock screen then shows.';
comment on column public.push_subscriptions.delivered_at is 'When the push service last accepted a push.';
comment on column public.push_subscriptions.failures is 'How many attempts have failed since.';
comment on column public.push_subscriptions.ended_at is 'When the push service said that it no longer exists, or had failed for a day.';
CREATE INDEX push_subscriptions_ended ON public.push_subscriptions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX push_subscriptions_user ON public.push_subscriptions USING btree (user_id);
create policy "owners change their own push subscriptions" on public.push_subscriptions
  for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners delete their own push subscriptions" on public.push_subscriptions
  for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own push subscriptions" on public.push_subscriptions
  for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER push_subscriptions_audit AFTER INSERT OR DELETE ON public.push_subscriptions FOR EACH ROW EXECUTE FUNCTION internal.audit_push_subscription();
grant select (id, user_id, device, endpoint, server_key, shows_text, created_at, delivered_at, failing_since, ended_at), update (shows_text), delete on table public.push_subscriptions to authenticated;
grant select, insert, update, delete on table public.push_subscriptions to service_role;

create table public.qr_codes (
  qr_id text not null,
  owner_id uuid,
  issued_at timestamp with time zone,
  claimed_at timestamp with time zone,
  batch_id uuid,
  batch_place integer,
  stands_for text,
  voided_at timestamp with time zone,
  void_reason text,
  request_id uuid,
  constraint qr_codes_pkey PRIMARY KEY (qr_id),
  constraint qr_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.sticker_batches(id),
  constraint qr_codes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint qr_codes_stands_for_fkey FOREIGN KEY (stands_for) REFERENCES public.qr_codes(qr_id) ON DELETE SET NULL,
  constraint qr_codes_batch_place_check CHECK (batch_place >= 0),
  constraint qr_codes_place_in_batch CHECK ((batch_id IS NULL) = (batch_place IS NULL)),
  constraint qr_codes_qr_id_check CHECK (qr_id ~ '^[A-Za-z0-9_-]{1,64}$'::text AND qr_id <> 'new-item'::text),
  constraint qr_codes_stands_for_another CHECK (stands_for <> qr_id),
  constraint qr_codes_void CHECK ((voided_at IS NULL) = (void_reason IS NULL)),
  constraint qr_codes_void_reason_check CHECK (char_length(void_reason) >= 1 AND char_length(void_reason) <= 200)
);
alter table public.qr_codes enable row level security;
alter table public.qr_codes force row level security;
comment on column public.qr_codes.batch_place is 'Its place in the batch, from 0: the order in which its stickers are printed.';
comment on column public.qr_codes.stands_for is 'For a further code of an item: the item''s own code. Null for that code.';
comment on column public.qr_codes.void_reason is 'Why an operator voided the code. Its owner reads it.';
comment on column public.qr_codes.request_id is 'For a code that was made for its owner: their request that made it, so that a repeated one is recognized.';
CREATE UNIQUE INDEX qr_codes_batch ON public.qr_codes USING btree (batch_id, batch_place) WHERE (batch_id IS NOT NULL);
CREATE INDEX qr_codes_owner ON public.qr_codes USING btree (owner_id);
CREATE INDEX qr_codes_stands_for ON public.qr_codes USING btree (stands_for) WHERE (stands_for IS NOT NULL);
CREATE INDEX qr_codes_voided ON public.qr_codes USING btree (qr_id) WHERE (voided_at IS NOT NULL);
create policy "owners read their own codes" on public.qr_codes
  for select to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER qr_codes_announce AFTER UPDATE OF owner_id, stands_for ON public.qr_codes FOR EACH ROW WHEN (old.owner_id IS NOT NULL AND new.owner_id IS DISTINCT FROM old.owner_id OR new.stands_for IS DISTINCT FROM old.stands_for) EXECUTE FUNCTION internal.announce_item_change();
CREATE TRIGGER qr_codes_check_further BEFORE INSERT OR UPDATE OF stands_for, owner_id ON public.qr_codes FOR EACH ROW WHEN (new.stands_for IS NOT NULL) EXECUTE FUNCTION internal.check_further_code();
CREATE TRIGGER qr_codes_give_typed_code AFTER INSERT ON public.qr_codes FOR EACH ROW EXECUTE FUNCTION internal.give_typed_code();
CREATE TRIGGER qr_codes_void_freed BEFORE UPDATE OF owner_id ON public.qr_codes FOR EACH ROW WHEN (old.owner_id IS NOT NULL AND new.owner_id IS NULL AND new.batch_id IS NOT NULL AND new.voided_at IS NULL) EXECUTE FUNCTION internal.void_freed_code();
grant select on table public.qr_codes to authenticated;
grant select, insert, update, delete on table public.qr_codes to service_role;

create table public.second_contacts (
  id uuid not null default gen_random_uuid(),
  owner_id uuid not null,
  email text,
  phone text,
  for_all boolean not null default false,
  created_at timestamp with time zone not null default now(),
  agreed_at timestamp with time zone,
  left_at timestamp with time zone,
  quiet_from time(0) without time zone,
  quiet_to time(0) without time zone,
  time_zone text,
  constraint second_contacts_pkey PRIMARY KEY (id),
  constraint second_contacts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint second_contacts_address CHECK (num_nonnulls(email, phone) = 1),
  constraint second_contacts_email_check CHECK (char_length(email) <= 254 AND email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'::text),
  constraint second_contacts_phone_check CHECK (phone ~ '^[+][1-9][0-9]{6,14}$'::text),
  constraint second_contacts_quiet_hours CHECK ((num_nulls(quiet_from, quiet_to, time_zone) = ANY (ARRAY[0, 3])) AND quiet_from <> quiet_to AND quiet_from < '24:00:00'::time without time zone AND quiet_to < '24:00:00'::time without time zone),
  constraint second_contacts_time_zone_check CHECK (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'::text)
);
alter table public.second_contacts enable row level security;
alter table public.second_contacts force row level security;
comment on column public.second_contacts.for_all is 'Whether the contact is notified about all items; otherwise about those that are marked as lost.';
comment on column public.second_contacts.agreed_at is 'When the contact agreed. Before that, only the invitation is sent.';
comment on column public.second_contacts.left_at is 'When the contact left, or declined. Nothing is sent from then on.';
comment on column public.second_contacts.quiet_from is 'The contact''s own choice, which the owner does not see.';
CREATE INDEX second_contacts_invited ON public.second_contacts USING btree (created_at) WHERE (agreed_at IS NULL);
CREATE INDEX second_contacts_left ON public.second_contacts USING btree (left_at) WHERE (left_at IS NOT NULL);
CREATE UNIQUE INDEX second_contacts_of_owner ON public.second_contacts USING btree (owner_id, COALESCE(email, phone));
create policy "owners change their own second contacts" on public.second_contacts
  for update to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)))
  with check (owner_id = (( SELECT auth.uid() AS uid)));
create policy "owners read their own second contacts" on public.second_contacts
  for select to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)));
create policy "owners remove their own second contacts" on public.second_contacts
  for delete to authenticated
  using (owner_id = (( SELECT auth.uid() AS uid)) AND left_at IS NULL);
CREATE TRIGGER second_contacts_audit AFTER INSERT OR DELETE OR UPDATE ON public.second_contacts FOR EACH ROW EXECUTE FUNCTION internal.audit_second_contact();
CREATE TRIGGER second_contacts_check_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.second_contacts FOR EACH ROW WHEN (new.time_zone IS NOT NULL) EXECUTE FUNCTION internal.check_time_zone();
CREATE TRIGGER second_contacts_enqueue_notices AFTER UPDATE OF agreed_at, for_all ON public.second_contacts FOR EACH ROW WHEN (new.agreed_at IS NOT NULL AND new.left_at IS NULL AND (old.agreed_at IS NULL OR new.for_all AND NOT old.for_all)) EXECUTE FUNCTION internal.enqueue_notices_of_new_contact();
grant select (id, owner_id, email, phone, for_all, created_at, agreed_at, left_at), update (for_all), delete on table public.second_contacts to authenticated;
grant select, insert, update, delete on table public.second_contacts to service_role;

create table public.sticker_batches (
  id uuid not null default gen_random_uuid(),
  label text not null,
  note text,
  issued_by text not null,
  size integer not null,
  recorded integer not null default 0,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  voided_at timestamp with time zone,
  void_reason text,
  constraint sticker_batches_pkey PRIMARY KEY (id),
  constraint sticker_batches_label_key UNIQUE (label),
  constraint sticker_batches_check CHECK (recorded >= 0 AND recorded <= size),
  constraint sticker_batches_issued_by_check CHECK (char_length(issued_by) >= 1 AND char_length(issued_by) <= 100),
  constraint sticker_batches_label_check CHECK (char_length(label) >= 1 AND char_length(label) <= 100),
  constraint sticker_batches_note_check CHECK (char_length(note) <= 500),
  constraint sticker_batches_size_check CHECK (size > 0),
  constraint sticker_batches_void CHECK ((voided_at IS NULL) = (void_reason IS NULL)),
  constraint sticker_batches_void_reason_check CHECK (char_length(void_reason) >= 1 AND char_length(void_reason) <= 200)
);
alter table public.sticker_batches enable row level security;
alter table public.sticker_batches force row level security;
comment on table public.sticker_batches is 'Tag codes that an operator issued together. Only operators read it.';
comment on column public.sticker_batches.issued_by is 'Who ran the command, as the command line was told.';
comment on column public.sticker_batches.recorded is 'How many of its codes are recorded: those with the places below this number.';
comment on column public.sticker_batches.completed_at is 'When all codes were recorded and the first file with their stickers was whole.';
CREATE INDEX sticker_batches_age ON public.sticker_batches USING btree (created_at DESC, id);
CREATE TRIGGER sticker_batches_audit AFTER INSERT ON public.sticker_batches FOR EACH ROW EXECUTE FUNCTION internal.audit_sticker_batch();
grant select, insert, update, delete on table public.sticker_batches to service_role;

CREATE OR REPLACE FUNCTION public.accept_offer(offer_id_param uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_items integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := (select auth.uid());
  offer public.item_offers;
  item public.items;
begin
  select * into offer from public.item_offers where id = offer_id_param;
  -- Accounts before items, in the order of delete_my_account. Held, so that neither is deleted, and that the address stays
  -- the caller's.
  perform from auth.users where id in (caller, offer.giver_id) order by id for share;
  -- An item before its offers, as where it is deleted.
  select * into item from public.items where id = offer.item_id for update;
  select * into offer from public.item_offers where id = offer_id_param for update;
  if offer.id is null or offer.email is distinct from internal.proved_address() or offer.giver_id = caller
      or offer.declined_at is not null then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  if offer.accepted_at is null then
    if offer.expires_at <= now() or not internal.may_give(offer.giver_id) then
      raise exception 'No open offer to you has this id' using errcode = 'PT404';
    end if;
    offer.received_id := internal.move_item(item.id, caller);
    -- Of two claims at once the second must see the first.
    perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
    if exists (select from public.qr_codes where owner_id = caller offset 2 * most_items limit 1) then
      raise exception 'The account has no room left for another code' using errcode = 'PT413';
    end if;
    update public.item_offers set accepted_at = now(), received_id = offer.received_id where id = offer.id;
    perform internal.record_event('item_given', offer.giver_id);
    perform internal.record_event('item_received', caller, (auth.jwt() ->> 'session_id')::uuid);
    perform internal.enqueue_acceptance_mail(offer.id, offer.giver_id, offer.email, item.item_name);
  end if;
  select * into item from public.items where id = offer.received_id and user_id = caller and given_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
  return jsonb_build_object('qr_id', item.qr_id);
end
$function$;
alter function public.accept_offer(uuid) owner to service_role;
grant execute on function public.accept_offer(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.add_notice_address(kind_param text, name_param text, url_param text, token_param text DEFAULT NULL::text, shows_text_param boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_addresses constant integer := 5;
  caller uuid := (select auth.uid());
  added public.notice_addresses;
begin
  -- Addresses of one account are counted one after another.
  perform from public.profiles where id = caller for no key update;
  if not found then
    raise exception 'Only an account has notice addresses' using errcode = '42501';
  end if;
  -- It outlives the session, and is told of every message.
  perform internal.require_recent_proof();
  if (select count(*) from public.notice_addresses where user_id = caller) >= most_addresses then
    raise exception 'An account has at most % notice addresses', most_addresses using errcode = 'PT409';
  end if;
  insert into public.notice_addresses (user_id, kind, name, url, token, shows_text)
    values (caller, kind_param, btrim(name_param), url_param, nullif(token_param, ''), coalesce(shows_text_param, false))
    returning * into added;
  -- The rest of the URL may be a secret.
  perform internal.enqueue_account_mail(
    'notice_address_added', caller, substring(added.url from '^[a-z]+://(?:[^/?#]*@)?([^/?#:]+)')
  );
  return jsonb_build_object('id', added.id, 'kind', added.kind);
end
$function$;
alter function public.add_notice_address(text,text,text,text,boolean) owner to service_role;
grant execute on function public.add_notice_address(text,text,text,text,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.attach_qr_code(qr_id_param text, item_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_codes constant integer := 20;
  item public.items;
begin
  -- Of two stickers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = (select auth.uid()) and given_at is null for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  -- Takes the row lock of the code, which a tagger at the same time waits for.
  perform public.register_qr_code(qr_id_param, item.user_id);
  if internal.own_code_of_item(qr_id_param) = item.qr_id then
    return;
  end if;
  if exists (select from public.items where qr_id = internal.own_code_of_item(qr_id_param)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  update public.qr_codes set stands_for = item.qr_id where qr_id = qr_id_param;
  if exists (select from public.qr_codes where stands_for = item.qr_id offset most_codes - 1 limit 1) then
    raise exception 'The item has no room left for another sticker' using errcode = 'PT409';
  end if;
end
$function$;
alter function public.attach_qr_code(text,uuid) owner to service_role;
grant execute on function public.attach_qr_code(text,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.can_claim_code(qr_id_param text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select coalesce(
      (
        select code.voided_at is null and (
            code.owner_id = (select auth.uid())
            or code.owner_id is null and (code.issued_at is not null or not internal.claims_only_issued_codes())
          ) is true
          from public.qr_codes as code where code.qr_id = qr_id_param
      ),
      internal.is_claimable_code(qr_id_param),
      false
    )
  $function$;
alter function public.can_claim_code(text) owner to service_role;
grant execute on function public.can_claim_code(text) to anon;
grant execute on function public.can_claim_code(text) to authenticated;

CREATE OR REPLACE FUNCTION public.check_user_exists(email_param text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from auth.users
      where email = lower(btrim(email_param)) and deleted_at is null
  ) then
    return jsonb_build_object(
      'exists', true, 'message', 'An account with this email already exists. Please sign in instead.'
    );
  end if;
  return jsonb_build_object('exists', false, 'message', null);
end
$function$;
alter function public.check_user_exists(text) owner to service_role;
grant execute on function public.check_user_exists(text) to anon;
grant execute on function public.check_user_exists(text) to authenticated;

CREATE OR REPLACE FUNCTION public.claim_new_code(request_id_param uuid DEFAULT gen_random_uuid())
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  code text;
begin
  if caller is null then
    raise exception 'A code is claimed by somebody signed in' using errcode = '42501';
  end if;
  -- Of two calls at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
  select qr_id into code from public.qr_codes where owner_id = caller and request_id = request_id_param limit 1;
  if not found then
    code := internal.new_tag_code();
    insert into public.qr_codes (qr_id, owner_id, claimed_at, request_id) values (code, caller, now(), request_id_param);
    perform public.register_qr_code(code, caller);
  end if;
  return code;
end
$function$;
alter function public.claim_new_code(uuid) owner to service_role;
grant execute on function public.claim_new_code(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.close_report(report_id_param uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update internal.reports set closed_at = now() where id = report_id_param and closed_at is null;
  return found;
end
$function$;
grant execute on function public.close_report(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.close_sms_range(range_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update auth.sms_ranges set open_since = null, by_hand = false, sent_at = '{}', came_back = '{}'
    where number_range = range_param and open_since is not null;
  return found;
end
$function$;
grant execute on function public.close_sms_range(text) to service_role;

CREATE OR REPLACE FUNCTION public.confirm_delivery()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    with arrived as (
      select conversation_id, max(created_at) as until from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by conversation_id
    ), held as (
      -- In one order, because several screens confirm at once.
      select conversation.id, arrived.until from public.conversations as conversation
        join arrived on arrived.conversation_id = conversation.id
        where coalesce(greatest(conversation.delivered_until, conversation.shown_until) < arrived.until, true)
        order by conversation.id for no key update of conversation
    )
    update public.conversations as conversation set shown_until = held.until, shown_at = now()
      from held where conversation.id = held.id
  $function$;
alter function public.confirm_delivery() owner to service_role;
grant execute on function public.confirm_delivery() to authenticated;

CREATE OR REPLACE FUNCTION public.count_recovery_codes()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select pg_catalog.count(*)::integer from auth.recovery_codes where user_id = (select auth.uid()) $function$;
alter function public.count_recovery_codes() owner to service_role;
grant execute on function public.count_recovery_codes() to authenticated;

CREATE OR REPLACE FUNCTION public.count_unproved_notices()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select pg_catalog.count(*)::integer from internal.unproved_notices where user_id = (select auth.uid()) $function$;
alter function public.count_unproved_notices() owner to service_role;
grant execute on function public.count_unproved_notices() to authenticated;

CREATE OR REPLACE FUNCTION public.count_unread()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce(jsonb_object_agg(item_id, unread), '{}') from (
      select item_id, count(*) as unread from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by item_id
    ) as counted
  $function$;
grant execute on function public.count_unread() to authenticated;
grant execute on function public.count_unread() to service_role;

CREATE OR REPLACE FUNCTION public.decline_offer(offer_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.item_offers set declined_at = coalesce(declined_at, now())
    where id = offer_id_param and email = (select internal.proved_address()) and accepted_at is null;
  if not found then
    raise exception 'No open offer to you has this id' using errcode = 'PT404';
  end if;
end
$function$;
alter function public.decline_offer(uuid) owner to service_role;
grant execute on function public.decline_offer(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_given_item(item_id_param uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    delete from public.items where id = item_id_param and user_id = (select auth.uid()) and given_at is not null
  $function$;
alter function public.delete_given_item(uuid) owner to service_role;
grant execute on function public.delete_given_item(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.delete_my_account()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or not account.is_anonymous and proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = account.id));
  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null and voided_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$function$;
alter function public.delete_my_account() owner to service_role;
grant execute on function public.delete_my_account() to authenticated;

CREATE OR REPLACE FUNCTION public.detach_qr_code(qr_id_param text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item public.items;
  further_codes text[];
begin
  select * into item from public.items
    where id = (select id from public.items where qr_id = internal.own_code_of_item(qr_id_param))
      and user_id = (select auth.uid())
    for update;
  -- Asked again, because another call may have changed the item's codes before this one had the lock.
  if not found or internal.own_code_of_item(qr_id_param) <> item.qr_id then
    raise exception 'No item of yours has this code' using errcode = 'PT404';
  end if;
  -- Before the item's other codes, which may be of the same batch.
  perform internal.hold_batches(array[qr_id_param]);
  if item.qr_id = qr_id_param then
    further_codes := array(
      select qr_id from public.qr_codes where stands_for = item.qr_id order by voided_at is not null, claimed_at, qr_id
    );
    if further_codes = '{}' then
      raise exception 'An item keeps its only code' using errcode = 'PT409';
    end if;
    update public.qr_codes set stands_for = null where qr_id = any (further_codes);
    update public.items set qr_id = further_codes[1] where id = item.id;
    update public.qr_codes set stands_for = further_codes[1] where qr_id = any (further_codes[2:]);
  end if;
  perform internal.free_codes(array[qr_id_param]);
end
$function$;
alter function public.detach_qr_code(text) owner to service_role;
grant execute on function public.detach_qr_code(text) to authenticated;

CREATE OR REPLACE FUNCTION public.discard_blank_codes(qr_ids_param text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if cardinality(qr_ids_param) > 100 then
    raise exception 'At most 100 codes are discarded at once' using errcode = '22023';
  end if;
  perform internal.hold_batches(array(
    select qr_id from public.qr_codes where qr_id = any (qr_ids_param) and owner_id = (select auth.uid())
  ));
  -- In one order. Who tags or attaches one of them in this moment comes first or second.
  perform from public.qr_codes
    where qr_id = any (qr_ids_param) and owner_id = (select auth.uid()) order by qr_id for update;
  perform internal.free_codes(array(
    select blank ->> 'qr_id' from jsonb_array_elements(public.list_blank_codes()) as blank
      where blank ->> 'qr_id' = any (qr_ids_param)
  ));
end
$function$;
alter function public.discard_blank_codes(text[]) owner to service_role;
grant execute on function public.discard_blank_codes(text[]) to authenticated;

CREATE OR REPLACE FUNCTION public.disown_address(token_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  disowned record;
begin
  delete from auth.one_time_tokens
    where link_hash = sha256(convert_to(token_param, 'UTF8'))
      and token_type = 'address_disowning' and link_expires_at > now()
    returning user_id, relates_to into disowned;
  if not found then
    return false;
  end if;
  update auth.users
    set claimed_email = null, lost_email_hash = case when phone is null then sha256(convert_to(claimed_email, 'UTF8')) end,
      raw_user_meta_data = raw_user_meta_data - 'email'
    where id = disowned.user_id and claimed_email = disowned.relates_to;
  if not found then
    return false;
  end if;
  update auth.identities
    set identity_data = identity_data - 'email', updated_at = now()
    where user_id = disowned.user_id and provider = 'email';
  delete from auth.one_time_tokens where user_id = disowned.user_id and relates_to = disowned.relates_to;
  delete from internal.unproved_notices where user_id = disowned.user_id;
  return true;
end
$function$;
alter function public.disown_address(text) owner to service_role;
grant execute on function public.disown_address(text) to anon;
grant execute on function public.disown_address(text) to authenticated;

CREATE OR REPLACE FUNCTION public.end_session(session_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions where id = session_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'There is no such session' using errcode = 'PT404';
  end if;
end
$function$;
alter function public.end_session(uuid) owner to service_role;
grant execute on function public.end_session(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.export_account(user_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'exported_at', now(),
        'account', (
          select jsonb_build_object(
              'id', account.id, 'email', coalesce(account.email, account.claimed_email), 'email_confirmed_at', account.email_confirmed_at,
              'phone', account.phone, 'phone_confirmed_at', account.phone_confirmed_at,
              'new_email', account.new_email, 'new_phone', account.new_phone, 'created_at', account.created_at,
              'updated_at', account.updated_at, 'last_sign_in_at', account.last_sign_in_at,
              'has_password', account.encrypted_password is not null,
              'user_metadata', account.raw_user_meta_data, 'app_metadata', account.raw_app_meta_data
            )
            from auth.users as account where account.id = person.id
        ),
        'profile', (select to_jsonb(profile) from public.profiles as profile where profile.id = person.id),
        'notice_settings', (
          select to_jsonb(settings) from public.notice_settings as settings where settings.user_id = person.id
        ),
        'second_contacts', (
          -- Not the quiet hours, which are the contact's own.
          select coalesce(jsonb_agg(
              to_jsonb(contact) - 'quiet_from' - 'quiet_to' - 'time_zone' order by contact.created_at
            ), '[]')
            from public.second_contacts as contact where contact.owner_id = person.id
        ),
        'identities', (
          select coalesce(jsonb_agg(to_jsonb(identity) order by identity.created_at), '[]')
            from auth.identities as identity where identity.user_id = person.id
        ),
        'codes', (
          select coalesce(jsonb_agg(to_jsonb(code) order by code.qr_id), '[]')
            from public.qr_codes as code where code.owner_id = person.id
        ),
        'items', (
          select coalesce(jsonb_agg(to_jsonb(item) order by item.created_at), '[]')
            from public.items as item where item.user_id = person.id
        ),
        'item_offers', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'received_id' order by offer.created_at), '[]')
            from public.item_offers as offer where offer.giver_id = person.id
        ),
        'item_offers_received', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'giver_id' - 'item_id' order by offer.created_at), '[]')
            from public.item_offers as offer
            join auth.users as account on account.id = person.id and account.email = offer.email
        ),
        'conversations', (
          -- Its key is the finder's.
          select coalesce(jsonb_agg(to_jsonb(conversation) - 'finder_key_hash' order by conversation.created_at), '[]')
            from public.conversations as conversation where conversation.owner_id = person.id
        ),
        'messages', (
          select coalesce(jsonb_agg(to_jsonb(message) order by message.created_at), '[]')
            from public.messages as message where message.owner_id = person.id
        ),
        'channel_openings', (
          select coalesce(jsonb_agg(to_jsonb(opening) order by opening.opened_at), '[]')
            from public.channel_openings as opening where opening.owner_id = person.id
        ),
        'files', (
          -- Where its bytes are is the service's business.
          select coalesce(jsonb_agg(to_jsonb(file) - 'version' - 'renditions' order by file.created_at), '[]')
            from storage.objects as file where file.owner = person.id
        ),
        'sessions', (
          select coalesce(jsonb_agg(to_jsonb(session) - 'device_hash' order by session.created_at), '[]')
            from auth.sessions as session where session.user_id = person.id
        ),
        'known_devices', (
          select coalesce(jsonb_agg(to_jsonb(device) - 'device_hash' order by device.created_at), '[]')
            from auth.known_devices as device where device.user_id = person.id
        ),
        'second_factors', (
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = person.id
        ),
        'recovery_codes', (
          select coalesce(jsonb_agg(to_jsonb(code) - 'code_hash' order by code.created_at), '[]')
            from auth.recovery_codes as code where code.user_id = person.id
        ),
        'codes_sent', (
          select coalesce(jsonb_agg(
              to_jsonb(sent) - 'token_hash' - 'link_hash' - 'code_challenge' order by sent.created_at
            ), '[]')
            from auth.one_time_tokens as sent where sent.user_id = person.id
        ),
        'push_subscriptions', (
          -- Not the keys, which the browser has.
          select coalesce(jsonb_agg(
              to_jsonb(subscription) - 'p256dh' - 'auth' order by subscription.created_at
            ), '[]')
            from public.push_subscriptions as subscription where subscription.user_id = person.id
        ),
        'notice_addresses', (
          -- Not the access token.
          select coalesce(jsonb_agg(to_jsonb(address) - 'token' order by address.created_at), '[]')
            from public.notice_addresses as address where address.user_id = person.id
        ),
        'reports_of_finders', (
          -- Not what finders reported about the account's pages.
          select coalesce(jsonb_agg(
              to_jsonb(report) - 'owner_then' - 'repeats' - 'closed_at' order by report.created_at
            ), '[]')
            from internal.reports as report where report.reported_by = person.id
        ),
        'measured_labels', (
          select coalesce(jsonb_agg(to_jsonb(labels) order by labels.created_at), '[]')
            from public.measured_labels as labels where labels.user_id = person.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $function$;
grant execute on function public.export_account(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.export_my_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select auth.uid()) is null then
    return null;
  end if;
  perform internal.require_recent_proof();
  return public.export_account((select auth.uid()));
end
$function$;
alter function public.export_my_data() owner to service_role;
grant execute on function public.export_my_data() to authenticated;

CREATE OR REPLACE FUNCTION public.find_given_item(item_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select internal.given_item(item.id) from public.items as item
      where item.id = item_id_param and item.user_id = (select auth.uid()) and item.given_at is not null
  $function$;
alter function public.find_given_item(uuid) owner to service_role;
grant execute on function public.find_given_item(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.find_item(qr_id_param text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_item jsonb;
  item_code text := qr_id_param;
begin
  -- First as an item's own code, then as a further one: most scans take one look-up.
  for look_up in 1..2 loop
    select jsonb_build_object(
        'item_type', item.item_type,
        'item_name', item.item_name,
        'photo', '/storage/v1/object/public/item-photos/' || item.photo,
        'owner_first_name', internal.first_name(owner.full_name),
        'note_to_finders', item.note_to_finders,
        'reward', item.reward,
        'lost', item.lost_at is not null,
        'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
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
      where item.qr_id = item_code
        and not exists (
          select from public.qr_codes as code where code.qr_id = qr_id_param and code.voided_at is not null
        );
    if found_item is not null then
      return found_item;
    end if;
    select stands_for into item_code from public.qr_codes where qr_id = qr_id_param;
    exit when item_code is null;
  end loop;

  -- Claimed, and nothing is tagged with it yet: the shape of the item that its owner would get.
  select jsonb_build_object(
      'item_type', 'other',
      'item_name', 'My Tagged Item',
      'photo', null,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', null,
      'reward', null,
      'lost', false,
      'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and owner.whatsapp_enabled,
        'call', owner.phone is not null and owner.call_enabled,
        'email', owner.email is not null and owner.email_enabled,
        'message', coalesce(owner.message_enabled, true)
      )
    )
    into found_item
    from public.qr_codes as code
    left join public.profiles as owner on owner.id = code.owner_id
    where code.qr_id = qr_id_param and code.owner_id is not null and code.voided_at is null;
  return found_item;
end
$function$;
alter function public.find_item(text) owner to service_role;
grant execute on function public.find_item(text) to anon;
grant execute on function public.find_item(text) to authenticated;

CREATE OR REPLACE FUNCTION public.find_typed_code(typed_code_param text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select typed.qr_id
      from internal.typed_codes as typed
      join public.qr_codes as code on code.qr_id = typed.qr_id
      where typed.typed_code = pg_catalog.replace(typed_code_param, '-', '')
        and (code.voided_at is null or code.owner_id = (select auth.uid()) or (select auth.role()) = 'service_role')
  $function$;
alter function public.find_typed_code(text) owner to service_role;
grant execute on function public.find_typed_code(text) to anon;
grant execute on function public.find_typed_code(text) to authenticated;

CREATE OR REPLACE FUNCTION public.get_qr_code_owner(qr_id_param text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  holder uuid;
  is_void boolean;
begin
  select owner_id, voided_at is not null into holder, is_void from public.qr_codes where qr_id = qr_id_param;
  if holder is null or holder = (select auth.uid()) then
    return holder;
  end if;
  if is_void then
    return null;
  end if;
  return left(encode(sha256(convert_to(
    (select value from internal.secrets where name = 'owner_reference') || ':' || qr_id_param || ':' || holder, 'UTF8'
  )), 'hex'), 32)::uuid;
end
$function$;
alter function public.get_qr_code_owner(text) owner to service_role;
grant execute on function public.get_qr_code_owner(text) to anon;
grant execute on function public.get_qr_code_owner(text) to authenticated;

CREATE OR REPLACE FUNCTION public.has_password()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select exists (select from auth.users where id = (select auth.uid()) and encrypted_password is not null) $function$;
alter function public.has_password() owner to service_role;
grant execute on function public.has_password() to authenticated;

CREATE OR REPLACE FUNCTION public.invite_second_contact(email_param text, phone_param text, for_all_param boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_contacts constant integer := 3;
  account uuid := (select id from auth.users
    where id = (select auth.uid()) and not is_anonymous and deleted_at is null and confirmed_at is not null);
  invited uuid;
begin
  if account is null then
    raise exception 'Only a confirmed account has second contacts' using errcode = '42501';
  end if;
  -- Contacts of one account are counted one after another.
  perform pg_advisory_xact_lock(hashtextextended('second contacts of ' || account, 0));
  if (select count(*) from public.second_contacts where owner_id = account and left_at is null) >= most_contacts then
    raise exception 'An account has at most % second contacts', most_contacts using errcode = 'PT409';
  end if;
  insert into public.second_contacts (owner_id, email, phone, for_all)
    values (account, nullif(lower(btrim(email_param)), ''), nullif(btrim(phone_param), ''), coalesce(for_all_param, false))
    on conflict do nothing
    returning id into invited;
  if invited is null then
    raise exception 'This second contact was invited already' using errcode = 'PT409';
  end if;
  perform internal.enqueue_contact_invitation(invited);
  return invited;
end
$function$;
alter function public.invite_second_contact(text,text,boolean) owner to service_role;
grant execute on function public.invite_second_contact(text,text,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.issue_codes(batch_id_param uuid, first_place integer, codes text[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most_codes constant integer := 1000;
  batch public.sticker_batches;
begin
  if cardinality(codes) > most_codes then
    raise exception 'At most % codes are issued at once', most_codes using errcode = '22023';
  end if;
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  if batch.voided_at is not null then
    raise exception 'The batch is void' using errcode = 'PT409';
  end if;
  if first_place is distinct from batch.recorded then
    return batch.recorded;
  end if;
  insert into public.qr_codes (qr_id, issued_at, batch_id, batch_place)
    select code, now(), batch.id, batch.recorded + place - 1
      from unnest(codes) with ordinality as given (code, place)
      where place <= batch.size - batch.recorded;
  update public.sticker_batches set recorded = least(recorded + coalesce(cardinality(codes), 0), size)
    where id = batch.id returning recorded into batch.recorded;
  return batch.recorded;
end
$function$;
grant execute on function public.issue_codes(uuid,integer,text[]) to service_role;

CREATE OR REPLACE FUNCTION public.list_blank_codes()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce(
        jsonb_agg(jsonb_build_object('qr_id', code.qr_id, 'made_at', code.claimed_at) order by code.claimed_at, code.qr_id),
        '[]'
      )
      from public.qr_codes as code
      where code.owner_id = (select auth.uid()) and code.stands_for is null and code.voided_at is null
        and not exists (select from public.items as item where item.qr_id = code.qr_id)
  $function$;
grant execute on function public.list_blank_codes() to authenticated;
grant execute on function public.list_blank_codes() to service_role;

CREATE OR REPLACE FUNCTION public.list_given_items(before_given_at_param timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id_param uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'given', coalesce(
          jsonb_agg(internal.given_item(record.id) order by record.place) filter (where record.place <= 100), '[]'
        ),
        'has_more', count(*) > 100
      )
      from (
        select item.id, row_number() over (order by item.given_at desc, item.id desc) as place
          from public.items as item
          where item.user_id = (select auth.uid()) and item.given_at is not null
            and item.given_at <= coalesce(before_given_at_param, 'infinity')
            and (item.given_at < coalesce(before_given_at_param, 'infinity') or item.id < before_id_param)
          order by item.given_at desc, item.id desc
          limit 101
      ) as record
  $function$;
alter function public.list_given_items(timestamp with time zone,uuid) owner to service_role;
grant execute on function public.list_given_items(timestamp with time zone,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.list_open_sms_ranges()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce(jsonb_agg(
        jsonb_build_object(
          'number_range', open_range.number_range, 'open_since', open_range.open_since,
          'trials', cardinality(open_range.sent_at),
          'came_back', cardinality(array_positions(open_range.came_back, true))
        ) order by open_range.open_since
      ), '[]')
      from (
        select * from auth.sms_ranges where open_since is not null order by open_since limit 1000
      ) as open_range
  $function$;
grant execute on function public.list_open_sms_ranges() to service_role;

CREATE OR REPLACE FUNCTION public.list_reports(with_closed_param boolean DEFAULT false, page_param integer DEFAULT 1, per_page_param integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
      'total', (select count(*) from internal.reports where closed_at is null or with_closed_param),
      'reports', coalesce((
        select jsonb_agg(to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
            order by report.created_at desc, report.id)
          from (
            select * from internal.reports
              where closed_at is null or with_closed_param
              order by created_at desc, id
              limit least(greatest(per_page_param, 1), 1000)
              offset (greatest(page_param, 1)::bigint - 1) * least(greatest(per_page_param, 1), 1000)
          ) as report
          left join public.qr_codes as code on code.qr_id = report.qr_id
      ), '[]')
    )
  $function$;
grant execute on function public.list_reports(boolean,integer,integer) to service_role;

CREATE OR REPLACE FUNCTION public.list_return_codes(item_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce(jsonb_agg(jsonb_build_object('conversation_id', latest.id, 'qr_id', latest.qr_id)), '[]')
      from (
        select conversation.id, item.qr_id
          from public.conversations as conversation
          join public.items as item on item.id = conversation.item_id
          where conversation.item_id = item_id_param
          order by conversation.created_at desc
          limit 200
      ) as latest
  $function$;
alter function public.list_return_codes(uuid) owner to service_role;
grant execute on function public.list_return_codes(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.list_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_used_at timestamp with time zone, device text, aal text, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select session.id, session.created_at, coalesce(session.refreshed_at, session.created_at), session.device,
        session.aal, session.id::text = (select auth.jwt()) ->> 'session_id'
      from auth.sessions as session
      where session.user_id = (select auth.uid())
        and (session.not_after is null or session.not_after > pg_catalog.now())
      order by 3 desc, 1
  $function$;
alter function public.list_sessions() owner to service_role;
grant execute on function public.list_sessions() to authenticated;

CREATE OR REPLACE FUNCTION public.list_transfers()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
      'offers', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'id', offer.id, 'item_type', item.item_type, 'item_name', item.item_name, 'photo', item.photo,
            'giver', internal.first_name(giver.full_name), 'expires_at', offer.expires_at
          ) order by offer.created_at desc, offer.id), '[]')
          from (
            select * from public.item_offers
              where email = (select internal.proved_address()) and giver_id <> (select auth.uid())
                and accepted_at is null and declined_at is null and expires_at > now() and internal.may_give(giver_id)
              order by created_at desc, id limit 100
          ) as offer
          join public.items as item on item.id = offer.item_id
          left join public.profiles as giver on giver.id = offer.giver_id
      ),
      'given', (
        select coalesce(jsonb_agg(internal.given_item(record.id) order by record.given_at desc, record.id desc), '[]')
          from (
            select * from public.items
              where user_id = (select auth.uid()) and given_at is not null
              order by given_at desc, id desc limit 100
          ) as record
      )
    )
  $function$;
alter function public.list_transfers() owner to service_role;
grant execute on function public.list_transfers() to authenticated;

CREATE OR REPLACE FUNCTION public.make_blank_codes(count_param integer, request_id_param uuid DEFAULT gen_random_uuid())
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_blank constant integer := 100;
  most_items integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := (select auth.uid());
begin
  if caller is null then
    raise exception 'Codes are made by somebody signed in' using errcode = '42501';
  end if;
  if count_param is null or count_param not between 1 and most_blank then
    raise exception 'Between 1 and % codes are made at once', most_blank using errcode = '22023';
  end if;
  -- Of two calls at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
  if exists (select from public.qr_codes where owner_id = caller and request_id = request_id_param) then
    return public.list_blank_codes();
  end if;
  if jsonb_array_length(public.list_blank_codes()) + count_param > most_blank then
    raise exception 'An account has at most % blank codes', most_blank using errcode = 'PT413';
  end if;
  insert into public.qr_codes (qr_id, owner_id, claimed_at, request_id)
    select internal.new_tag_code(), caller, now(), request_id_param from generate_series(1, count_param);
  if exists (select from public.qr_codes where owner_id = caller offset 2 * most_items limit 1) then
    raise exception 'The account has no room left for so many codes' using errcode = 'PT413';
  end if;
  return public.list_blank_codes();
end
$function$;
alter function public.make_blank_codes(integer,uuid) owner to service_role;
grant execute on function public.make_blank_codes(integer,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.make_recovery_codes()
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  caller uuid := auth.uid();
  code text;
  codes text[] := '{}';
  random_bytes bytea;
begin
  if not exists (
    select from auth.sessions
      where id::text = auth.jwt() ->> 'session_id' and user_id = caller and aal = 'aal2' and auth.jwt() ->> 'aal' = 'aal2'
  ) or not exists (select from auth.mfa_factors where user_id = caller and status = 'verified') then
    raise exception 'Recovery codes are made after a second factor was shown' using errcode = '42501';
  end if;
  perform internal.require_recent_proof();
  -- Two calls at once would leave twenty codes.
  perform from auth.users where id = caller for update;
  delete from auth.recovery_codes where user_id = caller;
  for code_number in 1..10 loop
    -- 32 bytes of the server's strong generator, each worth one of 32 letters: 16 letters are 80 bits.
    random_bytes := pg_catalog.sha256(
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    code := '';
    for place in 0..15 loop
      code := code || case when place in (4, 8, 12) then '-' else '' end
        || pg_catalog.substr(alphabet, pg_catalog.get_byte(random_bytes, place) % 32 + 1, 1);
    end loop;
    codes := codes || code;
    insert into auth.recovery_codes (user_id, code_hash) values (caller, internal.hash_recovery_code(code));
  end loop;
  perform internal.record_event('recovery_codes_made', caller, (auth.jwt() ->> 'session_id')::uuid);
  return codes;
end
$function$;
alter function public.make_recovery_codes() owner to service_role;
grant execute on function public.make_recovery_codes() to authenticated;

CREATE OR REPLACE FUNCTION public.offer_item(item_id_param uuid, email_param text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_offers constant integer := 20;
  caller uuid := (select auth.uid());
  address text := lower(btrim(email_param));
  account auth.users;
  item public.items;
  offer public.item_offers;
begin
  select * into account from auth.users where id = caller and deleted_at is null;
  if account.confirmed_at is null or account.is_anonymous then
    raise exception 'Only a confirmed account can offer an item' using errcode = '42501';
  end if;
  if address is null or address in (account.email, account.claimed_email) then
    raise exception 'An item is offered to the address of somebody else' using errcode = '22023';
  end if;
  -- Of two offers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = caller and given_at is null for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  if internal.is_void(item.qr_id) then
    raise exception 'The code of this item is void' using errcode = 'PT423';
  end if;
  delete from public.item_offers
    where item_id = item.id and accepted_at is null and (declined_at is not null or expires_at <= now());
  select * into offer from public.item_offers where item_id = item.id and accepted_at is null;
  if not found then
    -- Offers of one account are counted one after another.
    perform pg_advisory_xact_lock(hashtextextended('offers of ' || caller, 0));
    if exists (
      select from public.item_offers
        where giver_id = caller and accepted_at is null and declined_at is null and expires_at > now()
        offset most_offers - 1 limit 1
    ) then
      raise exception 'An account has at most % open offers', most_offers using errcode = 'PT413';
    end if;
    begin
      insert into public.item_offers (giver_id, item_id, email) values (caller, item.id, address) returning * into offer;
    exception when check_violation then
      raise exception 'This is no email address' using errcode = '22023';
    end;
    perform internal.record_event('item_offered', caller, (auth.jwt() ->> 'session_id')::uuid);
    perform internal.enqueue_offer_mail(offer.id, 'offer');
  elsif offer.email <> address then
    raise exception 'This item is offered to somebody else already' using errcode = 'PT409';
  end if;
  return jsonb_build_object('id', offer.id, 'expires_at', offer.expires_at);
end
$function$;
alter function public.offer_item(uuid,text) owner to service_role;
grant execute on function public.offer_item(uuid,text) to authenticated;

CREATE OR REPLACE FUNCTION public.open_sms_range(range_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  was_open boolean;
begin
  insert into auth.sms_ranges (number_range) values (range_param) on conflict (number_range) do nothing;
  select open_since is not null into was_open from auth.sms_ranges where number_range = range_param for update;
  update auth.sms_ranges
    set by_hand = true, open_since = coalesce(open_since, now()),
      sent_at = case when was_open then sent_at else '{}' end,
      came_back = case when was_open then came_back else '{}' end
    where number_range = range_param;
  return not was_open;
end
$function$;
grant execute on function public.open_sms_range(text) to service_role;

CREATE OR REPLACE FUNCTION public.put_page_back(report_id_param uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  report internal.reports;
  own_code text;
  qr_ids text[];
begin
  select * into report from internal.reports where id = report_id_param for update;
  if report.taken_down_at is null then
    return false;
  end if;
  own_code := internal.own_code_of_item(report.qr_id);
  perform from public.qr_codes where qr_id = own_code or stands_for = own_code order by qr_id for update;
  with restored as (
    update public.qr_codes set voided_at = null, void_reason = null
      where (qr_id = own_code or stands_for = own_code) and voided_at = report.taken_down_at
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from restored;
  update internal.reports set taken_down_at = null where id = report.id;
  perform internal.announce_void_codes('codes_restored', qr_ids);
  -- As `restore_code` does: a code that was never issued and has lost its owner is forgotten.
  delete from public.qr_codes where qr_id = any (qr_ids) and owner_id is null and issued_at is null;
  return cardinality(qr_ids) > 0;
end
$function$;
grant execute on function public.put_page_back(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.read_conversation(qr_id_param text, finder_key_param text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'by_further_code', opened.qr_id <> qr_id_param,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id, item.qr_id
          from public.items as item where item.qr_id = internal.own_code_of_item(qr_id_param)
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', case when message.by_contact then 'contact' else message.sender end,
            'body', message.body, 'sent_at', message.created_at,
            'kind', message.kind, 'place', message.place, 'photo', message.photo,
            'location', case when message.latitude is not null then jsonb_build_object(
              'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
              'exact', message.location_exact
            ) end
          ) order by message.created_at, message.id) as shown
          from (
            select * from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $function$;
alter function public.read_conversation(text,text) owner to service_role;
grant execute on function public.read_conversation(text,text) to anon;
grant execute on function public.read_conversation(text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.register_qr_code(qr_id_param text, user_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
begin
  if user_id_param is distinct from (select auth.uid()) then
    raise exception 'A code can be registered only for the account that asks' using errcode = '42501';
  end if;
  perform internal.claim_code(qr_id_param, user_id_param);
  -- Of two claims at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || user_id_param, 0));
  if exists (select from public.qr_codes where owner_id = user_id_param offset 2 * most limit 1) then
    raise exception 'The account has no room left for another code' using errcode = 'PT413';
  end if;
end
$function$;
alter function public.register_qr_code(text,uuid) owner to service_role;
grant execute on function public.register_qr_code(text,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.report_finder(conversation_id_param uuid, kind_param text, body_param text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller uuid := (select auth.uid());
  trimmed text := nullif(internal.trim_message(body_param), '');
  code text;
  alike uuid[];
begin
  if kind_param is null or kind_param not in ('harassment', 'fraud', 'spam', 'other') then
    raise exception 'A finder is not reported for this' using errcode = '22023';
  end if;
  if char_length(trimmed) > 500 then
    raise exception 'A report has at most 500 characters' using errcode = '22023';
  end if;
  -- Of two retries at once the second must see the first.
  select item.qr_id into code
    from public.conversations as conversation
    join public.items as item on item.id = conversation.item_id
    where conversation.id = conversation_id_param and conversation.owner_id = caller and item.user_id = caller
      and item.given_at is null
    for no key update of conversation;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  alike := array(
    select id from internal.reports
      where conversation_id = conversation_id_param and kind = kind_param and reported_by = caller and closed_at is null
      order by body is not distinct from trimmed desc, created_at, id
      limit 20
  );
  update internal.reports set repeats = repeats + 1
    where id = alike[1] and (cardinality(alike) = 20 or body is not distinct from trimmed);
  if not found then
    insert into internal.reports (kind, qr_id, body, owner_then, reported_by, conversation_id)
      values (kind_param, code, trimmed, caller, caller, conversation_id_param);
  end if;
end
$function$;
alter function public.report_finder(uuid,text,text) owner to service_role;
grant execute on function public.report_finder(uuid,text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.restore_batch(batch_id_param uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with restored as (
    update public.qr_codes set voided_at = null, void_reason = null
      where batch_id = batch.id and voided_at = batch.voided_at
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from restored;
  update public.sticker_batches set voided_at = null, void_reason = null where id = batch.id;
  perform internal.announce_void_codes('codes_restored', qr_ids);
  return cardinality(qr_ids);
end
$function$;
grant execute on function public.restore_batch(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.restore_code(qr_id_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.qr_codes set voided_at = null, void_reason = null
    where qr_id = qr_id_param and voided_at is not null;
  if not found then
    return false;
  end if;
  perform internal.announce_void_codes('codes_restored', array[qr_id_param]);
  delete from public.qr_codes where qr_id = qr_id_param and owner_id is null and issued_at is null;
  return true;
end
$function$;
grant execute on function public.restore_code(text) to service_role;

CREATE OR REPLACE FUNCTION public.save_items(items_param jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most_items constant integer := 2000;
  caller uuid := (select auth.uid());
begin
  if jsonb_typeof(items_param) is distinct from 'array' then
    raise exception 'The items are a list' using errcode = '22023';
  end if;
  if jsonb_array_length(items_param) > most_items then
    raise exception 'At most % items are saved at once', most_items using errcode = '22023';
  end if;
  if exists (select from jsonb_array_elements(items_param) as given where jsonb_typeof(given) <> 'object') then
    raise exception 'Each item is an object' using errcode = '22023';
  end if;
  perform from public.items
    where user_id = caller and qr_id in (select given ->> 'qr_id' from jsonb_array_elements(items_param) as given)
    order by id for no key update;
  update public.items as item set
      item_type = case when given ? 'item_type' then given ->> 'item_type' else item.item_type end,
      item_name = case when given ? 'item_name' then given ->> 'item_name' else item.item_name end,
      description = case when given ? 'description' then given ->> 'description' else item.description end,
      note_to_finders = case when given ? 'note_to_finders' then given ->> 'note_to_finders' else item.note_to_finders end,
      reward = case when given ? 'reward' then given ->> 'reward' else item.reward end
    from jsonb_array_elements(items_param) as given
    where item.qr_id = given ->> 'qr_id' and item.user_id = caller;
  insert into public.items (qr_id, user_id, item_type, item_name, description, note_to_finders, reward)
    select given ->> 'qr_id', caller, given ->> 'item_type', given ->> 'item_name', given ->> 'description',
        given ->> 'note_to_finders', given ->> 'reward'
      from jsonb_array_elements(items_param) as given
      where not exists (select from public.items as own where own.qr_id = given ->> 'qr_id' and own.user_id = caller)
      order by given ->> 'qr_id';
end
$function$;
grant execute on function public.save_items(jsonb) to authenticated;
grant execute on function public.save_items(jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.save_push_subscription(endpoint_param text, p256dh_param text, auth_param text, server_key_param text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_subscriptions constant integer := 10;
  session record;
  saved uuid;
begin
  select own.id, own.user_id, own.device into session
    from auth.sessions as own
    where own.id::text = (select auth.jwt()) ->> 'session_id' and own.user_id = (select auth.uid())
    for key share;
  if not found then
    raise exception 'Only a session has notifications' using errcode = '42501';
  end if;
  -- Subscriptions of one account are counted one after another.
  perform from public.profiles where id = session.user_id for no key update;
  -- The same browser, signed in anew. Who knows its secret is that browser.
  delete from public.push_subscriptions
    where endpoint = endpoint_param and auth = auth_param and session_id <> session.id;
  insert into public.push_subscriptions as subscription
      (user_id, session_id, device, endpoint, p256dh, auth, server_key)
    values (session.user_id, session.id, session.device, endpoint_param, p256dh_param, auth_param, server_key_param)
    on conflict (session_id) do update
      set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key,
        failures = case when subscription.endpoint = excluded.endpoint then subscription.failures else 0 end,
        retry_at = case when subscription.endpoint = excluded.endpoint then subscription.retry_at end,
        -- One that had ended has another day.
        failing_since = case
          when subscription.endpoint = excluded.endpoint and subscription.ended_at is null then subscription.failing_since
        end,
        ended_at = null
    returning subscription.id into saved;
  delete from public.push_subscriptions where id in (
    select id from public.push_subscriptions
      where user_id = session.user_id and id <> saved
      order by ended_at is null desc, coalesce(delivered_at, created_at) desc
      offset most_subscriptions - 1
  );
  return saved;
end
$function$;
alter function public.save_push_subscription(text,text,text,text) owner to service_role;
grant execute on function public.save_push_subscription(text,text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION public.send_message(qr_id_param text, body_param text, message_id_param uuid DEFAULT NULL::uuid, finder_key_param text DEFAULT NULL::text, kind_param text DEFAULT 'text'::text, place_param text DEFAULT NULL::text, latitude_param double precision DEFAULT NULL::double precision, longitude_param double precision DEFAULT NULL::double precision, exact_param boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item public.items;
  kind_of text := coalesce(kind_param, 'text');
  trimmed text := coalesce(internal.trim_message(body_param), '');
  where_it_is text := internal.clean_place(place_param);
  has_location boolean := latitude_param is not null and longitude_param is not null;
  -- About a kilometer, or a meter.
  digits integer := case when exact_param then 5 else 2 end;
  finder_hash bytea := sha256(convert_to(finder_key_param, 'UTF8'));
  conversation uuid;
  is_blocked boolean;
  message public.messages;
begin
  if kind_of not in ('text', 'have_it', 'left_it', 'saw_it', 'photo') then
    raise exception 'No message has this kind' using errcode = '22023';
  end if;
  if char_length(trimmed) > 250 or (trimmed = '' and kind_of = 'text') then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  if char_length(where_it_is) > 100 then
    raise exception 'A place has at most 100 characters' using errcode = '22023';
  end if;
  if (latitude_param is null) <> (longitude_param is null)
      or latitude_param not between -90 and 90 or longitude_param not between -180 and 180 then
    raise exception 'The location is none on Earth' using errcode = '22023';
  end if;
  if char_length(finder_key_param) not between 20 and 100 then
    raise exception 'The finder''s key is not one of ours' using errcode = '22023';
  end if;

  -- Held against deletion until the message is in.
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
  if item.id is null or internal.is_void(qr_id_param) then
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  -- Held against deletion as well, and against an owner who ends or blocks it in this moment: each sees what the other did.
  select id, blocked_at is not null into conversation, is_blocked from public.conversations
    where id = internal.conversation_of_key(item.id, finder_key_param) for no key update;
  if conversation is null then
    is_blocked := exists (
      select from internal.blocked_keys as blocked where blocked.owner_id = item.user_id and blocked.key_hash = finder_hash
    );
  end if;
  -- Before anything is written, so that an attempt costs little. A message that is stored already is confirmed below.
  if is_blocked and not exists (select from public.messages where id = message_id_param) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  -- The length of keys that return codes stand for. Ours of new conversations have 32 characters.
  if conversation is null and char_length(finder_key_param) = 43 and not exists (
    select from public.messages where id = message_id_param
  ) then
    raise exception 'The conversation of this finder''s key has ended, or never was' using errcode = 'PT410',
      hint = 'A key of 43 characters is that of a return code, and begins no conversation. Choose another length.';
  end if;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, finder_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = finder_hash and item_id = item.id for no key update;
    end if;
    if conversation is null then
      raise exception 'The finder''s key belongs to another conversation' using errcode = '23505';
    end if;
  end if;

  insert into public.messages (
      id, conversation_id, item_id, owner_id, sender, body, kind, place, latitude, longitude, location_exact
    )
    values (
      coalesce(message_id_param, internal.time_ordered_id()), conversation, item.id, item.user_id, 'finder', trimmed, kind_of,
      where_it_is, round(latitude_param::numeric, digits), round(longitude_param::numeric, digits),
      case when has_location then coalesce(exact_param, false) end
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if (message.item_id, message.sender, message.kind, message.body, message.place)
        is distinct from (item.id, 'finder', kind_of, trimmed, where_it_is) then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
    -- What this call made for a message that was already there must not stay behind as an empty conversation.
    delete from public.conversations
      where id = conversation and not exists (select from public.messages where conversation_id = conversation);
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$function$;
alter function public.send_message(text,text,uuid,text,text,text,double precision,double precision,boolean) owner to service_role;
grant execute on function public.send_message(text,text,uuid,text,text,text,double precision,double precision,boolean) to anon;
grant execute on function public.send_message(text,text,uuid,text,text,text,double precision,double precision,boolean) to authenticated;

CREATE OR REPLACE FUNCTION public.send_reply(conversation_id_param uuid, body_param text, message_id_param uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  trimmed text := internal.trim_message(body_param);
  conversation public.conversations;
  message public.messages;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;

  -- Held against deletion until the answer is in.
  select * into conversation from public.conversations
    where id = conversation_id_param and owner_id = (select auth.uid()) for key share;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  -- Held, so that the item is not given away meanwhile. A reply that is stored already is confirmed below.
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found and not exists (select from public.messages where id = message_id_param) then
    raise exception 'The item belongs to another account now' using errcode = 'PT409';
  end if;

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (
      coalesce(message_id_param, internal.time_ordered_id()), conversation.id, conversation.item_id, conversation.owner_id,
      'owner', trimmed
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if message.conversation_id is distinct from conversation.id or message.body is distinct from trimmed
        or message.sender <> 'owner' then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$function$;
alter function public.send_reply(uuid,text,uuid) owner to service_role;
grant execute on function public.send_reply(uuid,text,uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.send_test_notice(address_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from public.notice_addresses where id = address_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such notice address' using errcode = 'PT404';
  end if;
  perform internal.enqueue_notice(address_id_param, null);
end
$function$;
alter function public.send_test_notice(uuid) owner to service_role;
grant execute on function public.send_test_notice(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.send_test_push(subscription_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from public.push_subscriptions where id = subscription_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such device' using errcode = 'PT404';
  end if;
  perform internal.enqueue_push(subscription_id_param, null);
end
$function$;
alter function public.send_test_push(uuid) owner to service_role;
grant execute on function public.send_test_push(uuid) to authenticated;

CREATE OR REPLACE FUNCTION public.show_report(report_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
      from internal.reports as report
      left join public.qr_codes as code on code.qr_id = report.qr_id
      where report.id = report_id_param
  $function$;
grant execute on function public.show_report(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.take_back_item(item_id_param uuid, conversation_id_param uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform from public.items where id = item_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  perform from public.conversations where id = conversation_id_param and item_id = item_id_param;
  if conversation_id_param is not null and not found then
    raise exception 'No conversation about this item has this id' using errcode = 'PT404';
  end if;
  update public.items set lost_at = null where id = item_id_param and lost_at is not null;
  perform from public.conversations
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null
    order by id for no key update;
  update public.conversations set returned_at = now()
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null;
end
$function$;
grant execute on function public.take_back_item(uuid,uuid) to authenticated;
grant execute on function public.take_back_item(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.take_page_down(report_id_param uuid, reason_param text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  report internal.reports;
  owner_now uuid;
  own_code text;
  qr_ids text[];
begin
  select * into report from internal.reports where id = report_id_param for update;
  if not found then
    return 'unknown';
  end if;
  if report.reported_by is not null then
    return 'finder';
  end if;
  own_code := internal.own_code_of_item(report.qr_id);
  -- In one order, as others lock several codes.
  perform from public.qr_codes where qr_id = own_code or stands_for = own_code order by qr_id for update;
  select owner_id into owner_now from public.qr_codes where qr_id = report.qr_id;
  if owner_now is null then
    return 'unclaimed';
  end if;
  -- The report is about the page of another account.
  if owner_now is distinct from report.owner_then then
    return 'changed_hands';
  end if;
  with voided as (
    -- A sticker may have been added since the page was taken down: then one time for all of them.
    update public.qr_codes set voided_at = coalesce(report.taken_down_at, now()), void_reason = reason_param
      where (qr_id = own_code or stands_for = own_code) and owner_id = owner_now and voided_at is null
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  if cardinality(qr_ids) = 0 then
    return 'void';
  end if;
  update internal.reports set taken_down_at = coalesce(taken_down_at, now()) where id = report.id;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return 'taken_down';
end
$function$;
grant execute on function public.take_page_down(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.use_recovery_code(code_param text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims jsonb := coalesce(auth.jwt() -> 'unfinished_sign_in', auth.jwt());
  caller uuid := (claims ->> 'sub')::uuid;
begin
  delete from auth.recovery_codes where user_id = caller and code_hash = internal.hash_recovery_code(code_param);
  if not found then
    raise exception 'This recovery code is not valid' using errcode = '22023';
  end if;
  update auth.sessions
    set aal = 'aal2', factor_id = null, proved_at = pg_catalog.now(), amr = pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
      'method', 'mfa/recovery_code', 'timestamp', pg_catalog.floor(extract(epoch from pg_catalog.now()))::bigint
    )) || amr
    where id::text = claims ->> 'session_id' and user_id = caller;
  if not found then
    raise exception 'The sign-in is over' using errcode = '42501';
  end if;
  perform internal.record_event('recovery_code_used', caller, (claims ->> 'session_id')::uuid);
end
$function$;
alter function public.use_recovery_code(text) owner to service_role;
grant execute on function public.use_recovery_code(text) to anon;
grant execute on function public.use_recovery_code(text) to authenticated;

CREATE OR REPLACE FUNCTION public.void_batch(batch_id_param uuid, reason_param text, claimed_too boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  update public.sticker_batches
    set voided_at = coalesce(voided_at, now()), void_reason = reason_param
    where id = batch_id_param returning * into batch;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with voided as (
    update public.qr_codes set voided_at = batch.voided_at, void_reason = batch.void_reason
      where batch_id = batch.id and voided_at is null and (owner_id is null or claimed_too)
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return jsonb_build_object(
    'voided', cardinality(qr_ids),
    'claimed', (select count(*) from public.qr_codes where batch_id = batch.id and voided_at is null)
  );
end
$function$;
grant execute on function public.void_batch(uuid,text,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.void_code(qr_id_param text, reason_param text, claimed_too boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  code public.qr_codes;
begin
  select * into code from public.qr_codes where qr_id = qr_id_param for update;
  if not found then
    return 'unknown';
  end if;
  if code.voided_at is not null then
    return 'void';
  end if;
  if code.owner_id is not null and claimed_too is not true then
    return 'claimed';
  end if;
  update public.qr_codes set voided_at = now(), void_reason = reason_param where qr_id = qr_id_param;
  perform internal.announce_void_codes('codes_voided', array[qr_id_param]);
  return 'voided';
end
$function$;
grant execute on function public.void_code(text,text,boolean) to service_role;

-- ------------------------------------------------------------ auth
create schema auth;
comment on schema auth is 'Accounts, sessions and one-time codes. API roles read it through functions only.';
grant usage on schema auth to anon;
grant usage on schema auth to authenticated;
grant usage on schema auth to service_role;

create table auth.audit_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  event text not null,
  user_id uuid,
  session_id uuid,
  times integer not null default 1,
  by_operator boolean not null default (COALESCE(current_setting('reunite.by_operator'::text, true), ''::text) = 'on'::text),
  details jsonb not null default '{}'::jsonb,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_times_check CHECK (times > 0)
);
alter table auth.audit_log enable row level security;
alter table auth.audit_log force row level security;
CREATE INDEX audit_log_at ON auth.audit_log USING btree (at);
CREATE UNIQUE INDEX audit_log_failures ON auth.audit_log USING btree (event, COALESCE(user_id, '00000000-0000-0000-0000-000000000000'::uuid), at) WHERE (event = ANY (ARRAY['sign_in_failed'::text, 'second_factor_failed'::text, 'recovery_code_failed'::text]));
CREATE INDEX audit_log_user ON auth.audit_log USING btree (user_id, at DESC);
grant select, insert, update (times), delete on table auth.audit_log to service_role;

create table auth.authorization_codes (
  code_hash bytea not null,
  user_id uuid not null,
  code_challenge text not null,
  method text not null,
  expires_at timestamp with time zone not null,
  proved_at timestamp with time zone,
  constraint authorization_codes_pkey PRIMARY KEY (code_hash),
  constraint authorization_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint authorization_codes_code_challenge_check CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'::text)
);
alter table auth.authorization_codes enable row level security;
alter table auth.authorization_codes force row level security;
CREATE INDEX authorization_codes_expiry ON auth.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_user ON auth.authorization_codes USING btree (user_id);
grant select, insert, update, delete on table auth.authorization_codes to service_role;

create table auth.code_failures (
  user_id uuid not null,
  in_a_row integer not null,
  constraint code_failures_pkey PRIMARY KEY (user_id),
  constraint code_failures_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint code_failures_in_a_row_check CHECK (in_a_row > 0)
);
alter table auth.code_failures enable row level security;
alter table auth.code_failures force row level security;
grant select, insert, update, delete on table auth.code_failures to service_role;

create table auth.identities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}'::jsonb,
  email text generated always as (lower((identity_data ->> 'email'::text))) stored,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_id UNIQUE (provider, provider_id),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table auth.identities enable row level security;
alter table auth.identities force row level security;
CREATE INDEX identities_user ON auth.identities USING btree (user_id);
CREATE TRIGGER identities_audit AFTER INSERT OR DELETE ON auth.identities FOR EACH ROW EXECUTE FUNCTION internal.audit_identity();
grant select, insert, update, delete on table auth.identities to service_role;

create table auth.known_devices (
  user_id uuid not null,
  device_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  has_shown_factor boolean not null default false,
  constraint known_devices_pkey PRIMARY KEY (user_id, device_hash),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table auth.known_devices enable row level security;
alter table auth.known_devices force row level security;
comment on table auth.known_devices is 'Devices where an account has signed in: the hash of a random value in a cookie. Which of them count, internal.is_known_device says.';
CREATE INDEX known_devices_age ON auth.known_devices USING btree (seen_at);
CREATE TRIGGER known_devices_bound AFTER INSERT OR UPDATE OF has_shown_factor ON auth.known_devices FOR EACH ROW EXECUTE FUNCTION internal.bound_known_devices();
grant select, insert, update, delete on table auth.known_devices to service_role;

create table auth.mfa_challenges (
  id uuid not null default gen_random_uuid(),
  factor_id uuid not null,
  session_id uuid not null,
  code_hash bytea,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint mfa_challenges_pkey PRIMARY KEY (id),
  constraint mfa_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE,
  constraint mfa_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_challenges force row level security;
CREATE INDEX mfa_challenges_expiry ON auth.mfa_challenges USING btree (expires_at);
CREATE INDEX mfa_challenges_factor ON auth.mfa_challenges USING btree (factor_id);
CREATE INDEX mfa_challenges_session ON auth.mfa_challenges USING btree (session_id);
grant select, insert, update, delete on table auth.mfa_challenges to service_role;

create table auth.mfa_factors (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  factor_type text not null,
  status text not null default 'unverified'::text,
  friendly_name text not null default ''::text,
  secret bytea,
  phone text,
  last_step bigint,
  last_challenged_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint mfa_factors_pkey PRIMARY KEY (id),
  constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint mfa_factors_check CHECK ((secret IS NOT NULL) = (factor_type = 'totp'::text)),
  constraint mfa_factors_check1 CHECK ((phone IS NOT NULL) = (factor_type = 'phone'::text)),
  constraint mfa_factors_factor_type_check CHECK (factor_type = ANY (ARRAY['totp'::text, 'phone'::text])),
  constraint mfa_factors_friendly_name_check CHECK (char_length(friendly_name) <= 120),
  constraint mfa_factors_status_check CHECK (status = ANY (ARRAY['unverified'::text, 'verified'::text]))
);
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_factors force row level security;
CREATE UNIQUE INDEX mfa_factors_name ON auth.mfa_factors USING btree (user_id, friendly_name) WHERE (friendly_name <> ''::text);
CREATE INDEX mfa_factors_phone ON auth.mfa_factors USING btree (phone) WHERE (status = 'verified'::text);
CREATE INDEX mfa_factors_user ON auth.mfa_factors USING btree (user_id);
CREATE TRIGGER mfa_factors_announce_access AFTER INSERT OR DELETE OR UPDATE OF status ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION internal.announce_account_access();
CREATE TRIGGER mfa_factors_audit AFTER INSERT OR DELETE ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION internal.audit_factor();
CREATE TRIGGER mfa_factors_audit_status AFTER UPDATE OF status ON auth.mfa_factors FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION internal.audit_factor();
CREATE TRIGGER mfa_factors_lower_sessions BEFORE DELETE ON auth.mfa_factors FOR EACH ROW WHEN (old.status = 'verified'::text) EXECUTE FUNCTION internal.lower_sessions_of_removed_factor();
CREATE TRIGGER mfa_factors_touch BEFORE UPDATE ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select, insert, update, delete on table auth.mfa_factors to service_role;

create table auth.oidc_flows (
  state_hash bytea not null,
  browser_hash bytea not null,
  provider text not null,
  redirect_to text not null,
  code_challenge text,
  session_id uuid,
  expires_at timestamp with time zone not null,
  constraint oidc_flows_pkey PRIMARY KEY (state_hash),
  constraint oidc_flows_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint oidc_flows_code_challenge_check CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'::text)
);
alter table auth.oidc_flows enable row level security;
alter table auth.oidc_flows force row level security;
CREATE INDEX oidc_flows_expiry ON auth.oidc_flows USING btree (expires_at);
CREATE INDEX oidc_flows_session ON auth.oidc_flows USING btree (session_id);
grant select, insert, update, delete on table auth.oidc_flows to service_role;

create table auth.one_time_tokens (
  user_id uuid not null,
  token_type text not null,
  token_hash bytea,
  relates_to text not null,
  channel text not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  code_challenge text,
  own_attempts integer not null default 0,
  proved_at timestamp with time zone,
  id bigint not null generated always as identity,
  asked_on bytea,
  begun_on bytea,
  constraint one_time_tokens_pkey PRIMARY KEY (id),
  constraint one_time_tokens_link_hash_key UNIQUE (link_hash),
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint one_time_tokens_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text])),
  constraint one_time_tokens_code_challenge_check CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'::text),
  constraint one_time_tokens_have_a_secret CHECK (token_hash IS NOT NULL OR link_hash IS NOT NULL),
  constraint one_time_tokens_link_expires CHECK ((link_hash IS NULL) = (link_expires_at IS NULL)),
  constraint one_time_tokens_token_type_check CHECK (token_type = ANY (ARRAY['confirmation'::text, 'invite'::text, 'sign_in'::text, 'recovery'::text, 'email_change_current'::text, 'email_change_new'::text, 'phone_change'::text, 'reauthentication'::text, 'address_proof'::text, 'address_disowning'::text]))
);
alter table auth.one_time_tokens enable row level security;
alter table auth.one_time_tokens force row level security;
comment on table auth.one_time_tokens is 'Codes and links that were sent, each until it expires, or until one of the same account and purpose is used.';
comment on column auth.one_time_tokens.attempts is 'Guesses at the code by strangers. They do not touch the link, which nobody can guess.';
comment on column auth.one_time_tokens.begun_on is 'SHA-256 of the device cookie of the browser that began the change or registered the address. A message that is sent again keeps it. Null where the browser had no cookie, or an operator began the change.';
CREATE INDEX one_time_tokens_expiry ON auth.one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_purpose ON auth.one_time_tokens USING btree (user_id, token_type);
CREATE INDEX one_time_tokens_recipient ON auth.one_time_tokens USING btree (relates_to);
grant select, insert, update, delete on table auth.one_time_tokens to service_role;

create table auth.recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;
grant select, insert, update, delete on table auth.recovery_codes to service_role;

create table auth.refresh_tokens (
  token_hash bytea not null,
  session_id uuid not null,
  counter integer not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_order UNIQUE (session_id, counter),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint refresh_tokens_counter_check CHECK (counter >= 0)
);
alter table auth.refresh_tokens enable row level security;
alter table auth.refresh_tokens force row level security;
CREATE UNIQUE INDEX refresh_tokens_active ON auth.refresh_tokens USING btree (session_id) WHERE (revoked_at IS NULL);
CREATE INDEX refresh_tokens_revoked ON auth.refresh_tokens USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
grant select, insert, update, delete on table auth.refresh_tokens to service_role;

create table auth.sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  aal text not null default 'aal1'::text,
  amr jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  refreshed_at timestamp with time zone,
  not_after timestamp with time zone,
  device text not null default 'Unknown device'::text,
  device_is_new boolean not null default false,
  factor_id uuid,
  proved_at timestamp with time zone not null default now(),
  device_hash bytea,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_factor FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE SET NULL,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint sessions_aal_check CHECK (aal = ANY (ARRAY['aal1'::text, 'aal2'::text])),
  constraint sessions_device_check CHECK (char_length(device) <= 80)
);
alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;
comment on column auth.sessions.not_after is 'When the session ends, unless it is used before. Each use moves it, within SESSION_INACTIVITY_DAYS and SESSION_TIMEBOX_DAYS.';
comment on column auth.sessions.device is 'Short words made from the user agent at sign-in, which itself is not kept.';
comment on column auth.sessions.device_is_new is 'The account had signed in before, and never on this device.';
comment on column auth.sessions.factor_id is 'The second factor that raised the session to aal2; null where a recovery code did.';
comment on column auth.sessions.proved_at is 'When the holder last proved who they are: by signing in, a password, a code that was asked for, or a second factor.';
comment on column auth.sessions.device_hash is 'What auth.known_devices keeps of the device that the session began on. Null for sessions from before it was kept.';
CREATE INDEX sessions_end ON auth.sessions USING btree (not_after);
CREATE INDEX sessions_factor ON auth.sessions USING btree (factor_id);
CREATE INDEX sessions_user ON auth.sessions USING btree (user_id);
CREATE TRIGGER sessions_announce_access AFTER UPDATE OF aal ON auth.sessions FOR EACH ROW WHEN (old.aal IS DISTINCT FROM new.aal) EXECUTE FUNCTION internal.announce_account_access();
CREATE TRIGGER sessions_announce_end AFTER DELETE ON auth.sessions FOR EACH ROW EXECUTE FUNCTION internal.announce_session_end();
CREATE TRIGGER sessions_audit AFTER INSERT OR DELETE ON auth.sessions FOR EACH ROW EXECUTE FUNCTION internal.audit_session();
CREATE TRIGGER sessions_audit_assurance AFTER UPDATE OF aal ON auth.sessions FOR EACH ROW WHEN (old.aal IS DISTINCT FROM new.aal) EXECUTE FUNCTION internal.audit_session();
CREATE TRIGGER sessions_bound AFTER INSERT OR UPDATE OF aal ON auth.sessions FOR EACH ROW EXECUTE FUNCTION internal.bound_sessions();
CREATE TRIGGER sessions_enqueue_notice AFTER INSERT ON auth.sessions FOR EACH ROW WHEN (new.device_is_new) EXECUTE FUNCTION internal.enqueue_new_sign_in_notice();
CREATE TRIGGER sessions_remember_device AFTER UPDATE OF aal ON auth.sessions FOR EACH ROW WHEN (new.aal = 'aal2'::text AND new.device_hash IS NOT NULL) EXECUTE FUNCTION internal.remember_device_with_factor();
grant select, insert, update, delete on table auth.sessions to service_role;

create table auth.sms_ranges (
  number_range text not null,
  sent_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  came_back boolean[] not null default '{}'::boolean[],
  open_since timestamp with time zone,
  last_sent_at timestamp with time zone not null default now(),
  by_hand boolean not null default false,
  constraint sms_ranges_pkey PRIMARY KEY (number_range),
  constraint sms_ranges_check CHECK (cardinality(came_back) = cardinality(sent_at)),
  constraint sms_ranges_number_range_check CHECK (number_range ~ '^\+[0-9]{1,11}$'::text)
);
alter table auth.sms_ranges enable row level security;
alter table auth.sms_ranges force row level security;
comment on table auth.sms_ranges is 'Codes that went by SMS to numbers that no account had proved, for each range of numbers.';
comment on column auth.sms_ranges.by_hand is 'Whether an operator opened the range. It stays open until an operator closes it, or its trials come back.';
CREATE INDEX sms_ranges_last_sent ON auth.sms_ranges USING btree (last_sent_at);
CREATE INDEX sms_ranges_open ON auth.sms_ranges USING btree (open_since) WHERE (open_since IS NOT NULL);
grant select, insert, update, delete on table auth.sms_ranges to service_role;

create table auth.users (
  instance_id uuid,
  id uuid not null default gen_random_uuid(),
  aud text not null default 'authenticated'::text,
  role text not null default 'authenticated'::text,
  email text,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  phone text,
  phone_confirmed_at timestamp with time zone,
  confirmed_at timestamp with time zone generated always as (LEAST(email_confirmed_at, phone_confirmed_at)) stored,
  registrations integer not null default 1,
  confirmation_sent_at timestamp with time zone,
  invited_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  new_email text,
  email_change_sent_at timestamp with time zone,
  new_phone text,
  phone_change_sent_at timestamp with time zone,
  reauthentication_sent_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  raw_app_meta_data jsonb not null default '{}'::jsonb,
  raw_user_meta_data jsonb not null default '{}'::jsonb,
  is_super_admin boolean,
  is_anonymous boolean not null default false,
  banned_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  email_change_awaits text[] not null default '{}'::text[],
  claimed_email text,
  registered_on bytea,
  registration_phone text,
  lost_email_hash bytea,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_claimed_email_is_lower_case CHECK (claimed_email = lower(claimed_email)),
  constraint users_claimed_email_length CHECK (char_length(claimed_email) <= 254),
  constraint users_email_change_awaits_check CHECK (email_change_awaits <@ ARRAY['email_change_current'::text, 'email_change_new'::text]),
  constraint users_email_is_lower_case CHECK (email = lower(email)),
  constraint users_email_is_proved CHECK (email IS NULL OR email_confirmed_at IS NOT NULL OR deleted_at IS NOT NULL),
  constraint users_email_length CHECK (char_length(email) <= 254),
  constraint users_one_address CHECK (email IS NULL OR claimed_email IS NULL),
  constraint users_phone_is_digits CHECK (phone ~ '^[1-9][0-9]{1,14}$'::text),
  constraint users_registrations_check CHECK (registrations > 0)
);
alter table auth.users enable row level security;
alter table auth.users force row level security;
comment on column auth.users.email is 'The address that the account has proved. Of a deleted account, a fingerprint.';
comment on column auth.users.encrypted_password is 'A password hash in PHC format (Argon2id). The name is the one that fixtures use.';
comment on column auth.users.phone is 'E.164 without the plus: a number that its owner has proved, or that an operator set.';
comment on column auth.users.registrations is 'How many registrations one browser, or the operator, made before one was confirmed. Each replaced the one before.';
comment on column auth.users.claimed_email is 'The address that the account says is its own, which nobody has proved. It is not unique.';
comment on column auth.users.registered_on is 'SHA-256 of the device cookie of the browser that registered; empty where an operator did. Each browser has one pending registration for each recipient of an address.';
comment on column auth.users.lost_email_hash is 'SHA-256 of the address that the account claimed until another account proved it, or its reader disowned it. It names the account at a sign-in by password while the account has no address and no number of its own.';
CREATE INDEX users_age ON auth.users USING btree (created_at DESC, id);
CREATE INDEX users_anonymous ON auth.users USING btree (created_at) WHERE (is_anonymous AND (deleted_at IS NULL));
CREATE INDEX users_claimed_email ON auth.users USING btree (claimed_email) WHERE (claimed_email IS NOT NULL);
CREATE UNIQUE INDEX users_email ON auth.users USING btree (email) WHERE (deleted_at IS NULL);
CREATE INDEX users_lost_email ON auth.users USING btree (lost_email_hash) WHERE (lost_email_hash IS NOT NULL);
CREATE INDEX users_new_email ON auth.users USING btree (new_email) WHERE ((new_email IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX users_new_phone ON auth.users USING btree (new_phone) WHERE ((new_phone IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX users_phone ON auth.users USING btree (phone) WHERE (deleted_at IS NULL);
CREATE INDEX users_unconfirmed ON auth.users USING btree (created_at) WHERE ((confirmed_at IS NULL) AND (last_sign_in_at IS NULL) AND (deleted_at IS NULL) AND (NOT is_anonymous));
CREATE TRIGGER users_announce_access AFTER UPDATE OF banned_until, deleted_at ON auth.users FOR EACH ROW WHEN (old.banned_until IS DISTINCT FROM new.banned_until OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION internal.announce_account_access();
CREATE TRIGGER users_audit AFTER INSERT OR DELETE OR UPDATE ON auth.users FOR EACH ROW EXECUTE FUNCTION internal.audit_account();
CREATE TRIGGER users_clean BEFORE INSERT OR UPDATE OF raw_user_meta_data ON auth.users FOR EACH ROW WHEN (jsonb_typeof(new.raw_user_meta_data -> 'full_name'::text) = 'string'::text) EXECUTE FUNCTION internal.clean_account();
CREATE TRIGGER users_create_profile AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION internal.create_profile_of_new_user();
CREATE TRIGGER users_follow_email AFTER UPDATE OF email, claimed_email ON auth.users FOR EACH ROW EXECUTE FUNCTION internal.follow_email_of_user();
CREATE TRIGGER users_follow_phone AFTER UPDATE OF phone ON auth.users FOR EACH ROW WHEN (new.phone IS NOT NULL AND new.phone IS DISTINCT FROM old.phone) EXECUTE FUNCTION internal.follow_phone_of_user();
CREATE TRIGGER users_forget_lost_email BEFORE UPDATE OF email, phone, deleted_at ON auth.users FOR EACH ROW WHEN (new.lost_email_hash IS NOT NULL AND (new.email IS NOT NULL OR new.phone IS NOT NULL OR new.deleted_at IS NOT NULL)) EXECUTE FUNCTION internal.forget_lost_email();
CREATE TRIGGER users_forget_offers AFTER DELETE ON auth.users FOR EACH ROW WHEN (old.email IS NOT NULL) EXECUTE FUNCTION internal.forget_offers_to_account();
CREATE TRIGGER users_forget_offers_when_marked AFTER UPDATE OF deleted_at ON auth.users FOR EACH ROW WHEN (old.email IS NOT NULL AND old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION internal.forget_offers_to_account();
CREATE TRIGGER users_hold_batches BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION internal.hold_batches_of_account();
CREATE TRIGGER users_touch BEFORE UPDATE ON auth.users FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select, insert, update, delete on table auth.users to service_role;

CREATE OR REPLACE FUNCTION auth.jwt()
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb $function$;
grant execute on function auth.jwt() to anon;
grant execute on function auth.jwt() to authenticated;
grant execute on function auth.jwt() to service_role;

CREATE OR REPLACE FUNCTION auth.role()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $function$;
grant execute on function auth.role() to anon;
grant execute on function auth.role() to authenticated;
grant execute on function auth.role() to service_role;

CREATE OR REPLACE FUNCTION auth.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid $function$;
grant execute on function auth.uid() to anon;
grant execute on function auth.uid() to authenticated;
grant execute on function auth.uid() to service_role;

-- ------------------------------------------------------------ storage
create schema storage;
grant usage on schema storage to anon;
grant usage on schema storage to authenticated;
grant usage on schema storage to service_role;

create table storage.buckets (
  id text collate "C" not null,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  type text not null default 'STANDARD'::text,
  pictures boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint buckets_pkey PRIMARY KEY (id),
  constraint buckets_name_key UNIQUE (name),
  constraint buckets_file_size_limit_check CHECK (file_size_limit > 0),
  constraint buckets_name CHECK (name ~ '^[A-Za-z0-9_!.*''() &$=@;:+,?-]{1,100}$'::text AND name = btrim(name)),
  constraint buckets_type_check CHECK (type = 'STANDARD'::text)
);
alter table storage.buckets enable row level security;
alter table storage.buckets force row level security;
CREATE TRIGGER buckets_touch BEFORE UPDATE ON storage.buckets FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select, insert, update, delete on table storage.buckets to anon;
grant select, insert, update, delete on table storage.buckets to authenticated;
grant select, insert, update, delete on table storage.buckets to service_role;

create table storage.objects (
  id uuid not null default gen_random_uuid(),
  bucket_id text collate "C" not null,
  name text collate "C" not null,
  owner uuid,
  owner_id text,
  version text not null default (gen_random_uuid())::text,
  metadata jsonb,
  user_metadata jsonb,
  renditions jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  last_accessed_at timestamp with time zone not null default now(),
  constraint objects_pkey PRIMARY KEY (id),
  constraint objects_bucket_name UNIQUE (bucket_id, name),
  constraint objects_version_key UNIQUE (version),
  constraint objects_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id),
  constraint objects_owner_fkey FOREIGN KEY (owner) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint objects_name_check CHECK (name <> ''::text AND octet_length(name) <= 1024)
);
alter table storage.objects enable row level security;
alter table storage.objects force row level security;
CREATE INDEX objects_owner ON storage.objects USING btree (owner);
CREATE INDEX objects_renditions ON storage.objects USING gin (renditions jsonb_path_ops);
create policy "owners put up pictures" on storage.objects
  for insert to authenticated
  with check ((bucket_id = ANY (ARRAY['item-photos'::text, 'avatars'::text])) AND owner = (( SELECT auth.uid() AS uid)) AND name ~ '^[A-Za-z0-9_-]{22,64}\.webp$'::text);
create policy "owners see their pictures" on storage.objects
  for select to authenticated
  using ((bucket_id = ANY (ARRAY['item-photos'::text, 'avatars'::text, 'message-photos'::text])) AND owner = (( SELECT auth.uid() AS uid)));
create policy "owners take their pictures down" on storage.objects
  for delete to authenticated
  using ((bucket_id = ANY (ARRAY['item-photos'::text, 'avatars'::text])) AND owner = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER objects_forget_picture AFTER DELETE ON storage.objects FOR EACH ROW WHEN (old.bucket_id = ANY (ARRAY['item-photos'::text, 'avatars'::text, 'message-photos'::text])) EXECUTE FUNCTION internal.forget_picture();
CREATE TRIGGER objects_hold_quota AFTER INSERT OR UPDATE OF owner, metadata, renditions ON storage.objects FOR EACH ROW WHEN (new.owner IS NOT NULL AND new.bucket_id <> 'message-photos'::text) EXECUTE FUNCTION internal.hold_storage_quota();
CREATE TRIGGER objects_remove_files AFTER DELETE ON storage.objects FOR EACH ROW EXECUTE FUNCTION internal.enqueue_file_removal();
CREATE TRIGGER objects_replace_files AFTER UPDATE ON storage.objects FOR EACH ROW WHEN (old.version IS DISTINCT FROM new.version) EXECUTE FUNCTION internal.enqueue_file_removal();
CREATE TRIGGER objects_touch BEFORE UPDATE ON storage.objects FOR EACH ROW EXECUTE FUNCTION internal.touch_updated_at();
grant select, insert, update, delete on table storage.objects to anon;
grant select, insert, update, delete on table storage.objects to authenticated;
grant select, insert, update, delete on table storage.objects to service_role;

CREATE OR REPLACE FUNCTION storage.extension(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select case when position('.' in split_part(name, '/', -1)) > 0 then split_part(split_part(name, '/', -1), '.', -1) else '' end $function$;
grant execute on function storage.extension(text) to anon;
grant execute on function storage.extension(text) to authenticated;
grant execute on function storage.extension(text) to service_role;

CREATE OR REPLACE FUNCTION storage.filename(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select split_part(name, '/', -1) $function$;
grant execute on function storage.filename(text) to anon;
grant execute on function storage.filename(text) to authenticated;
grant execute on function storage.filename(text) to service_role;

CREATE OR REPLACE FUNCTION storage.foldername(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$ select (string_to_array(name, '/'))[1:cardinality(string_to_array(name, '/')) - 1] $function$;
grant execute on function storage.foldername(text) to anon;
grant execute on function storage.foldername(text) to authenticated;
grant execute on function storage.foldername(text) to service_role;

-- ------------------------------------------------------------ realtime
create schema realtime;
grant usage on schema realtime to anon;
grant usage on schema realtime to authenticated;
grant usage on schema realtime to service_role;

create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  event text,
  payload jsonb,
  private boolean not null default false,
  updated_at timestamp without time zone not null default now(),
  inserted_at timestamp without time zone not null default (clock_timestamp() AT TIME ZONE 'UTC'::text),
  binary_payload bytea,
  constraint messages_pkey PRIMARY KEY (id, inserted_at),
  constraint messages_event_check CHECK (char_length(event) <= 255),
  constraint messages_extension_check CHECK (extension = ANY (ARRAY['broadcast'::text, 'presence'::text])),
  constraint messages_topic_check CHECK (char_length(topic) <= 255)
);
alter table realtime.messages enable row level security;
alter table realtime.messages force row level security;
CREATE INDEX messages_inserted_at ON realtime.messages USING btree (inserted_at);
CREATE INDEX messages_replay ON realtime.messages USING btree (topic, inserted_at) WHERE (private AND (extension = 'broadcast'::text));
CREATE TRIGGER messages_announce AFTER INSERT ON realtime.messages FOR EACH ROW EXECUTE FUNCTION realtime.announce_message();
grant select, insert on table realtime.messages to anon;
grant select, insert on table realtime.messages to authenticated;
grant select, insert, update, delete on table realtime.messages to service_role;

create table realtime.presences (
  server_id uuid not null,
  channel_id bigint not null,
  topic text not null,
  private boolean not null,
  key text not null,
  ref text not null,
  payload jsonb not null,
  constraint presences_pkey PRIMARY KEY (server_id, channel_id),
  constraint presences_server_id_fkey FOREIGN KEY (server_id) REFERENCES realtime.servers(id) ON DELETE CASCADE
);
alter table realtime.presences enable row level security;
alter table realtime.presences force row level security;
CREATE INDEX presences_topic ON realtime.presences USING btree (topic, private);
CREATE TRIGGER presences_announce AFTER INSERT OR DELETE OR UPDATE ON realtime.presences FOR EACH ROW EXECUTE FUNCTION realtime.announce_presence();
grant select, insert, update, delete on table realtime.presences to service_role;

create table realtime.servers (
  id uuid not null,
  seen_at timestamp with time zone not null default now(),
  constraint servers_pkey PRIMARY KEY (id)
);
alter table realtime.servers enable row level security;
alter table realtime.servers force row level security;
grant select, insert, update, delete on table realtime.servers to service_role;

CREATE OR REPLACE FUNCTION realtime.access_to(topic_name text, role_name text, claims jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kind text;
  probe uuid;
  reads boolean;
  writes boolean;
  access jsonb := '{}';
begin
  foreach kind in array array['broadcast', 'presence'] loop
    begin
      insert into realtime.messages (topic, extension, private) values (topic_name, kind, true) returning id into probe;
      perform pg_catalog.set_config('realtime.topic', topic_name, true),
        pg_catalog.set_config('request.jwt.claims', claims::text, true),
        pg_catalog.set_config('role', role_name, true);
      begin
        reads := exists (select from realtime.messages where id = probe);
      exception when others then
        reads := false;
      end;
      begin
        insert into realtime.messages (topic, extension, private) values (topic_name, kind, true);
        writes := true;
      exception when others then
        writes := false;
      end;
      raise exception using errcode = 'RT000';
    exception when sqlstate 'RT000' then
      access := access || pg_catalog.jsonb_build_object(
        kind, pg_catalog.jsonb_build_object('read', reads, 'write', writes));
    end;
  end loop;
  return access;
end
$function$;
grant execute on function realtime.access_to(text,text,jsonb) to service_role;

CREATE OR REPLACE FUNCTION realtime.announce_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.extension = 'broadcast' then
    perform realtime.tell('realtime_broadcast', pg_catalog.json_build_object(
      'id', new.id, 'topic', new.topic, 'private', new.private, 'event', coalesce(new.event, ''),
      'payload', case when new.binary_payload is null then coalesce(new.payload, '{}')::text end,
      'bytes', pg_catalog.encode(new.binary_payload, 'base64'), 'meta', pg_catalog.json_build_object('id', new.id)
    )::text);
  end if;
  return null;
end
$function$;
alter function realtime.announce_message() owner to service_role;

CREATE OR REPLACE FUNCTION realtime.announce_presence()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  place realtime.presences := coalesce(new, old);
begin
  perform realtime.tell('realtime_presence', pg_catalog.json_build_object(
    'id', pg_catalog.gen_random_uuid(), 'topic', place.topic, 'private', place.private, 'key', place.key,
    'left', case when tg_op <> 'INSERT' then old.payload || pg_catalog.jsonb_build_object('phx_ref', old.ref) end,
    'joined', case when tg_op <> 'DELETE' then new.payload || pg_catalog.jsonb_build_object('phx_ref', new.ref)
      || case when tg_op = 'UPDATE' then pg_catalog.jsonb_build_object('phx_ref_prev', old.ref) else '{}' end end
  )::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text DEFAULT 'ROW'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if level <> 'ROW' then
    raise exception 'realtime.broadcast_changes is for triggers that run for each row' using errcode = '22023';
  end if;
  perform realtime.send(pg_catalog.jsonb_build_object(
    'id', pg_catalog.gen_random_uuid(), 'operation', operation, 'table', table_name, 'schema', table_schema,
    'record', pg_catalog.to_jsonb(new), 'old_record', pg_catalog.to_jsonb(old)
  ), event_name, topic_name);
end
$function$;
grant execute on function realtime.broadcast_changes(text,text,text,text,text,record,record,text) to service_role;

CREATE OR REPLACE FUNCTION realtime.capture_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  part_bytes constant integer := 5700;
  most_bytes constant integer := 1000000;
  -- To the microsecond: of two notifications with one text in one transaction PostgreSQL would deliver only one.
  at text := pg_catalog.to_char(pg_catalog.clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  new_row jsonb := case when tg_op <> 'DELETE' then pg_catalog.to_jsonb(new) end;
  old_row jsonb := case when tg_op <> 'INSERT' then pg_catalog.to_jsonb(old) end;
  large boolean := false;
  change bytea;
  parts integer;
begin
  if tg_op = 'UPDATE' and (select relreplident from pg_catalog.pg_class where oid = tg_relid) <> 'f' then
    select pg_catalog.jsonb_object_agg(name, old_row -> name) into old_row from pg_catalog.unnest(tg_argv) as name;
  end if;
  for attempt in 1..2 loop
    change := pg_catalog.convert_to(pg_catalog.jsonb_build_object(
      'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'at', at,
      'record', new_row, 'old_record', old_row, 'large', large
    )::text, 'UTF8');
    exit when pg_catalog.octet_length(change) <= most_bytes;
    large := true;
    select pg_catalog.jsonb_object_agg(key, value) into new_row
      from pg_catalog.jsonb_each(new_row) where pg_catalog.octet_length(value::text) <= 64;
    select pg_catalog.jsonb_object_agg(key, value) into old_row
      from pg_catalog.jsonb_each(old_row) where pg_catalog.octet_length(value::text) <= 64;
  end loop;

  if pg_catalog.octet_length(change) < 7900 then
    perform pg_catalog.pg_notify('realtime_changes', pg_catalog.convert_from(change, 'UTF8'));
    return null;
  end if;
  parts := (pg_catalog.octet_length(change) + part_bytes - 1) / part_bytes;
  for part in 0..parts - 1 loop
    perform pg_catalog.pg_notify('realtime_changes', pg_catalog.format('%s#%s/%s#%s', at, part + 1, parts,
      pg_catalog.encode(pg_catalog.substr(change, part * part_bytes + 1, part_bytes), 'base64')));
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION realtime.capture_table(target regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  key_columns text;
begin
  select pg_catalog.string_agg(pg_catalog.quote_literal(attname), ', ' order by pg_catalog.array_position(indkey::int2[], attnum))
    into key_columns
    from pg_catalog.pg_index
    join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = target and indisprimary;
  execute pg_catalog.format(
    'create or replace trigger realtime_capture after insert or update or delete on %s
       for each row execute function realtime.capture_change(%s)', target, key_columns);
end
$function$;

CREATE OR REPLACE FUNCTION realtime.describe_table(schema_name text, table_name text, role_name text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select pg_catalog.jsonb_build_object(
        'schema', namespace.nspname,
        'table', class.relname,
        'identifier', class.oid::regclass::text,
        'alias', pg_catalog.quote_ident(class.relname),
        'captured', exists (
          select from pg_catalog.pg_trigger where tgrelid = class.oid and tgname = 'realtime_capture' and not tgisinternal
        ),
        'rowSecurity', guarded,
        'oldValues', class.relreplident = 'f',
        'columns', (
          select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
              'name', attname,
              'identifier', pg_catalog.quote_ident(attname),
              'type', type.typname,
              'cast', pg_catalog.format_type(atttypid, null),
              -- Whether two values of it are equal exactly when their JSON forms are.
              'exact', type.typname in ('uuid', 'int2', 'int4', 'bool', 'text', 'varchar')
                and coalesce((select collisdeterministic from pg_catalog.pg_collation where oid = attcollation), true),
              'key', attnum = any (coalesce(key.indkey::int2[], '{}')),
              'readable', pg_catalog.has_column_privilege(role.oid, class.oid, attnum, 'SELECT')
            ) order by attnum)
            from pg_catalog.pg_attribute
            join pg_catalog.pg_type as type on type.oid = atttypid
            where attrelid = class.oid and attnum > 0 and not attisdropped
        ),
        'visible', case when guarded then (
          select pg_catalog.concat_ws(' and ',
              '(' || coalesce(pg_catalog.string_agg(term, ' or ') filter (where polpermissive), 'false') || ')',
              pg_catalog.string_agg(term, ' and ') filter (where not polpermissive))
            from (
              select polpermissive, '(' || coalesce(pg_catalog.pg_get_expr(polqual, polrelid), 'true') || ')' as term
                from pg_catalog.pg_policy
                where polrelid = class.oid and polcmd in ('r', '*') and exists (
                  select from pg_catalog.unnest(polroles) as granted
                    where granted = 0 or pg_catalog.pg_has_role(role.oid, granted, 'USAGE')
                )
            ) as policy
        ) end
      )
      from pg_catalog.pg_publication_tables as published
      join pg_catalog.pg_namespace as namespace on namespace.nspname = published.schemaname
      join pg_catalog.pg_class as class on class.relnamespace = namespace.oid and class.relname = published.tablename
      join pg_catalog.pg_roles as role on role.rolname = role_name
      left join pg_catalog.pg_index as key on key.indrelid = class.oid and key.indisprimary
      cross join lateral (
        select class.relrowsecurity and not role.rolbypassrls and not role.rolsuper as guarded
      ) as security
      where published.pubname = 'supabase_realtime' and schemaname = schema_name and tablename = table_name
  $function$;
grant execute on function realtime.describe_table(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION realtime.publish_table(target regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute pg_catalog.format('alter publication supabase_realtime add table %s', target);
  perform realtime.capture_table(target);
end
$function$;

CREATE OR REPLACE FUNCTION realtime.send(payload jsonb, event text, topic text, private boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.set_config('realtime.topic', topic, true);
  insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$function$;
grant execute on function realtime.send(jsonb,text,text,boolean) to service_role;

CREATE OR REPLACE FUNCTION realtime.send_binary(payload bytea, event text, topic text, private boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$function$;
grant execute on function realtime.send_binary(bytea,text,text,boolean) to service_role;

CREATE OR REPLACE FUNCTION realtime.tell(channel text, message text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  part_bytes constant integer := 5700;
  bytes bytea := pg_catalog.convert_to(message, 'UTF8');
  parts integer := (pg_catalog.octet_length(bytes) + part_bytes - 1) / part_bytes;
  id uuid := pg_catalog.gen_random_uuid();
begin
  if pg_catalog.octet_length(bytes) < 7900 then
    perform pg_catalog.pg_notify(channel, message);
    return;
  end if;
  for part in 0..parts - 1 loop
    perform pg_catalog.pg_notify(channel, pg_catalog.format('%s#%s/%s#%s', id, part + 1, parts,
      pg_catalog.encode(pg_catalog.substr(bytes, part * part_bytes + 1, part_bytes), 'base64')));
  end loop;
end
$function$;
grant execute on function realtime.tell(text,text) to service_role;

CREATE OR REPLACE FUNCTION realtime.topic()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select nullif(current_setting('realtime.topic', true), '') $function$;
grant execute on function realtime.topic() to anon;
grant execute on function realtime.topic() to authenticated;
grant execute on function realtime.topic() to service_role;

-- ------------------------------------------------------------ internal
create schema internal;
comment on schema internal is 'What the service keeps for itself. No API role may enter.';
grant usage on schema internal to service_role;

create table internal.blocked_keys (
  owner_id uuid not null,
  key_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint blocked_keys_pkey PRIMARY KEY (owner_id, key_hash),
  constraint blocked_keys_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table internal.blocked_keys enable row level security;
alter table internal.blocked_keys force row level security;
comment on column internal.blocked_keys.key_hash is 'SHA-256 of a finder''s key.';
CREATE INDEX blocked_keys_created ON internal.blocked_keys USING btree (created_at);
grant select, insert, update, delete on table internal.blocked_keys to service_role;

create table internal.contact_links (
  token_hash bytea not null,
  contact_id uuid not null,
  conversation_id uuid,
  notified_at timestamp with time zone,
  constraint contact_links_pkey PRIMARY KEY (token_hash),
  constraint contact_links_contact_id_conversation_id_key UNIQUE NULLS NOT DISTINCT (contact_id, conversation_id),
  constraint contact_links_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES public.second_contacts(id) ON DELETE CASCADE,
  constraint contact_links_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE
);
alter table internal.contact_links enable row level security;
alter table internal.contact_links force row level security;
comment on column internal.contact_links.token_hash is 'SHA-256 of the token in the link.';
comment on column internal.contact_links.notified_at is 'When the contact was last notified of the conversation.';
CREATE INDEX contact_links_conversation ON internal.contact_links USING btree (conversation_id);
grant select, insert, update, delete on table internal.contact_links to service_role;

create table internal.development_outbox (
  id bigint not null generated always as identity,
  channel text not null,
  recipient text not null,
  subject text,
  body text not null,
  delivery_key text,
  sent_at timestamp with time zone not null default now(),
  constraint development_outbox_pkey PRIMARY KEY (id),
  constraint development_outbox_delivery_key_key UNIQUE (delivery_key),
  constraint development_outbox_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text]))
);
alter table internal.development_outbox enable row level security;
alter table internal.development_outbox force row level security;
CREATE INDEX development_outbox_recipient ON internal.development_outbox USING btree (recipient);
CREATE TRIGGER development_outbox_announce AFTER INSERT ON internal.development_outbox FOR EACH ROW EXECUTE FUNCTION internal.announce_development_outbox();
grant select, insert, delete on table internal.development_outbox to service_role;

create table internal.finder_addresses (
  conversation_id uuid not null,
  id uuid not null default gen_random_uuid(),
  address text not null,
  qr_id text not null,
  language text not null,
  proved_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  reply_id uuid,
  notified_at timestamp with time zone,
  constraint finder_addresses_pkey PRIMARY KEY (conversation_id),
  constraint finder_addresses_id_key UNIQUE (id),
  constraint finder_addresses_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE,
  constraint finder_addresses_address_check CHECK (char_length(address) >= 3 AND char_length(address) <= 254)
);
alter table internal.finder_addresses enable row level security;
alter table internal.finder_addresses force row level security;
comment on table internal.finder_addresses is 'The email addresses of finders. Neither the owner nor an export may have them.';
comment on column internal.finder_addresses.id is 'Stands for the address in links, which end with it. Another address has another one.';
comment on column internal.finder_addresses.qr_id is 'The tag code of the page on which it was left: an item''s own code or a further one.';
comment on column internal.finder_addresses.expires_at is 'When it is deleted: a day after it was left, or 90 days after the latest message once it is proved.';
comment on column internal.finder_addresses.reply_id is 'The first reply since the finder has last looked; null where there is none.';
comment on column internal.finder_addresses.notified_at is 'When an email about these replies left.';
CREATE INDEX finder_addresses_expiry ON internal.finder_addresses USING btree (expires_at);
grant select, insert, update, delete on table internal.finder_addresses to service_role;

create table internal.migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  kind text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number),
  constraint migrations_kind_check CHECK (kind = ANY (ARRAY['compatible'::text, 'breaking'::text]))
);
alter table internal.migrations enable row level security;
alter table internal.migrations force row level security;

create table internal.rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
alter table internal.rate_limits enable row level security;
alter table internal.rate_limits force row level security;
CREATE INDEX rate_limits_expire ON internal.rate_limits USING btree (expire);
grant select, insert, update, delete on table internal.rate_limits to service_role;

create table internal.removed_files (
  file text not null,
  removed_at timestamp with time zone not null default now(),
  constraint removed_files_pkey PRIMARY KEY (file)
);
alter table internal.removed_files enable row level security;
alter table internal.removed_files force row level security;
CREATE INDEX removed_files_age ON internal.removed_files USING btree (removed_at);
grant select, delete on table internal.removed_files to service_role;

create table internal.reports (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  qr_id text not null,
  body text,
  created_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  repeats integer not null default 0,
  owner_then uuid,
  reported_by uuid,
  conversation_id uuid,
  taken_down_at timestamp with time zone,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE SET NULL,
  constraint reports_owner_then_fkey FOREIGN KEY (owner_then) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint reports_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint reports_body_check CHECK (char_length(body) >= 1 AND char_length(body) <= 500),
  constraint reports_kind_check CHECK (
CASE
    WHEN reported_by IS NULL THEN kind = ANY (ARRAY['planted'::text, 'abuse'::text, 'wrong_item'::text])
    ELSE kind = ANY (ARRAY['harassment'::text, 'fraud'::text, 'spam'::text, 'other'::text])
END)
);
alter table internal.reports enable row level security;
alter table internal.reports force row level security;
comment on table internal.reports is 'What finders report about pages, and owners about finders, to the operator. Nothing says which finder reported a page.';
comment on column internal.reports.qr_id is 'The tag code of the page. The report stays when the item is deleted.';
comment on column internal.reports.repeats is 'How many further reports were counted here instead of being stored.';
comment on column internal.reports.owner_then is 'The account that the tag code belonged to when it was reported. Null once that account is deleted.';
comment on column internal.reports.reported_by is 'The owner who reports a finder. Null in a report of a page.';
comment on column internal.reports.conversation_id is 'The conversation with the finder who is reported. Null in a report of a page, and once the conversation is deleted.';
comment on column internal.reports.taken_down_at is 'When an operator took the page down. The codes that were voided with it have the same time.';
CREATE INDEX reports_closed ON internal.reports USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX reports_conversation ON internal.reports USING btree (conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX reports_created ON internal.reports USING btree (created_at DESC);
CREATE INDEX reports_owner ON internal.reports USING btree (owner_then) WHERE (owner_then IS NOT NULL);
CREATE INDEX reports_reporter ON internal.reports USING btree (reported_by) WHERE (reported_by IS NOT NULL);
CREATE INDEX reports_tag ON internal.reports USING btree (qr_id, created_at DESC);
CREATE TRIGGER reports_enqueue_notice AFTER INSERT ON internal.reports FOR EACH ROW EXECUTE FUNCTION internal.enqueue_report_notice();
grant select, insert, update, delete on table internal.reports to service_role;

create table internal.return_keys (
  key_hash bytea not null,
  conversation_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint return_keys_pkey PRIMARY KEY (key_hash),
  constraint return_keys_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE
);
alter table internal.return_keys enable row level security;
alter table internal.return_keys force row level security;
CREATE INDEX return_keys_conversation ON internal.return_keys USING btree (conversation_id, created_at DESC);
grant select, insert, update, delete on table internal.return_keys to service_role;

create table internal.secrets (
  name text not null,
  value text not null,
  constraint secrets_pkey PRIMARY KEY (name)
);
alter table internal.secrets enable row level security;
alter table internal.secrets force row level security;
grant select on table internal.secrets to service_role;

create table internal.standby_marks (
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint standby_marks_pkey PRIMARY KEY (id)
);
alter table internal.standby_marks enable row level security;
alter table internal.standby_marks force row level security;
comment on table internal.standby_marks is 'Written by servers with a standby, once for each connection to the primary.';
CREATE INDEX standby_marks_created ON internal.standby_marks USING btree (created_at);
grant select, insert, delete on table internal.standby_marks to service_role;

create table internal.typed_code_progress (
  after text not null,
  constraint typed_code_progress_pkey PRIMARY KEY (after)
);
alter table internal.typed_code_progress enable row level security;
alter table internal.typed_code_progress force row level security;
grant select, update, delete on table internal.typed_code_progress to service_role;

create table internal.typed_codes (
  typed_code text collate "C" not null,
  qr_id text not null,
  constraint typed_codes_pkey PRIMARY KEY (typed_code),
  constraint typed_codes_qr_id_key UNIQUE (qr_id),
  constraint typed_codes_qr_id_fkey FOREIGN KEY (qr_id) REFERENCES public.qr_codes(qr_id) ON DELETE CASCADE
);
alter table internal.typed_codes enable row level security;
alter table internal.typed_codes force row level security;
comment on table internal.typed_codes is 'The tag code that a typed code leads to. Removed with its tag code.';
grant select, insert, delete on table internal.typed_codes to service_role;

create table internal.unproved_notices (
  message_id uuid not null,
  user_id uuid not null,
  sent_at timestamp with time zone not null default now(),
  constraint unproved_notices_pkey PRIMARY KEY (message_id),
  constraint unproved_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table internal.unproved_notices enable row level security;
alter table internal.unproved_notices force row level security;
CREATE INDEX unproved_notices_user ON internal.unproved_notices USING btree (user_id);
grant select, insert, update, delete on table internal.unproved_notices to service_role;

CREATE OR REPLACE FUNCTION internal.agree_as_contact(token_hash_param bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.second_contacts as contact set agreed_at = coalesce(contact.agreed_at, now())
    from internal.contact_links as link
    where link.token_hash = token_hash_param and link.conversation_id is null and contact.id = link.contact_id
      and contact.left_at is null
      and exists (select from auth.users where id = contact.owner_id and deleted_at is null);
  return found;
end
$function$;
grant execute on function internal.agree_as_contact(bytea) to service_role;

CREATE OR REPLACE FUNCTION internal.announce_account_access()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before jsonb := case when tg_op <> 'INSERT' then pg_catalog.to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then pg_catalog.to_jsonb(new) end;
begin
  perform pg_catalog.pg_notify('account_access_changed',
    coalesce(after, before) ->> case tg_table_name when 'users' then 'id' else 'user_id' end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.announce_development_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_notify('development_outbox', new.id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.announce_item_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'items' then
    if coalesce(old.qr_id, new.qr_id) is not null then
      perform pg_notify('item_changed', concat_ws(' ', old.qr_id, nullif(new.qr_id, old.qr_id), (
        select string_agg(qr_id, ' ') from public.qr_codes where stands_for in (old.qr_id, new.qr_id)
      )));
    end if;
  elsif tg_table_name = 'qr_codes' then
    perform pg_notify('item_changed', new.qr_id);
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    -- A hundred codes have 6,499 characters at most, and a payload 7,999.
    perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
      select qr_id, (row_number() over () - 1) / 100 as payload from (
        select qr_id from public.items where user_id = coalesce(new.id, old.id) and qr_id is not null
        union
        select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
      ) as code
    ) as shown group by payload;
  end if;
  return null;
end
$function$;
alter function internal.announce_item_change() owner to service_role;

CREATE OR REPLACE FUNCTION internal.announce_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_notify('session_ended', old.id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.announce_void_codes(event_param text, qr_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A hundred codes have 6,499 characters at most, and a payload 7,999.
  perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
    select code.qr_id, (row_number() over () - 1) / 100 as payload
      from public.qr_codes as code where code.qr_id = any (qr_ids) and code.owner_id is not null
  ) as shown group by payload;
  insert into auth.audit_log (event, user_id, by_operator, details)
    select event_param, code.owner_id, true, jsonb_build_object('codes', count(*))
      from public.qr_codes as code where code.qr_id = any (qr_ids)
      group by code.owner_id;
  if event_param = 'codes_voided' then
    perform internal.enqueue_void_mail(owner_id, array_agg(qr_id order by qr_id))
      from public.qr_codes where qr_id = any (qr_ids) and owner_id is not null
      group by owner_id;
  end if;
end
$function$;
grant execute on function internal.announce_void_codes(text,text[]) to service_role;

CREATE OR REPLACE FUNCTION internal.audit_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    -- What is kept of a deleted account is no new one.
    if new.deleted_at is null then
      perform internal.record_event('account_created', new.id);
    end if;
    return null;
  elsif tg_op = 'DELETE' then
    perform internal.record_event('account_deleted', old.id);
    return null;
  end if;
  if old.confirmed_at is null and new.registrations > old.registrations then
    perform internal.record_event('registered_again', new.id);
  elsif old.encrypted_password is distinct from new.encrypted_password then
    perform internal.record_event('password_changed', new.id);
  end if;
  if old.email_confirmed_at is null and new.email_confirmed_at is not null then
    perform internal.record_event('email_confirmed', new.id);
  end if;
  if old.phone_confirmed_at is null and new.phone_confirmed_at is not null then
    perform internal.record_event('phone_confirmed', new.id);
  end if;
  if coalesce(old.email, old.claimed_email) is distinct from coalesce(new.email, new.claimed_email) then
    perform internal.record_event('email_changed', new.id);
  end if;
  if new.new_email is not null and old.new_email is distinct from new.new_email then
    perform internal.record_event('email_change_requested', new.id);
  end if;
  if old.phone is distinct from new.phone then
    perform internal.record_event('phone_changed', new.id);
  end if;
  if new.new_phone is not null and old.new_phone is distinct from new.new_phone then
    perform internal.record_event('phone_change_requested', new.id);
  end if;
  if old.recovery_sent_at is distinct from new.recovery_sent_at and new.recovery_sent_at is not null then
    perform internal.record_event('recovery_requested', new.id);
  end if;
  if old.banned_until is distinct from new.banned_until then
    if new.banned_until > pg_catalog.now() then
      perform internal.record_event('banned', new.id, null, pg_catalog.jsonb_build_object('until', new.banned_until));
    else
      perform internal.record_event('ban_lifted', new.id);
    end if;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform internal.record_event('account_deleted', new.id);
  end if;
  if (old.role, old.raw_app_meta_data, old.is_super_admin) is distinct from
      (new.role, new.raw_app_meta_data, new.is_super_admin) then
    perform internal.record_event('privileges_changed', new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.audit_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('factor_removed', old.user_id, null,
      pg_catalog.jsonb_build_object('type', old.factor_type, 'status', old.status));
  else
    perform internal.record_event(
      case tg_op when 'INSERT' then 'factor_enrolled' else 'factor_verified' end, new.user_id, null,
      pg_catalog.jsonb_build_object('type', new.factor_type));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.audit_identity()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('identity_unlinked', old.user_id, null,
      pg_catalog.jsonb_build_object('provider', old.provider));
  else
    perform internal.record_event('identity_linked', new.user_id, null,
      pg_catalog.jsonb_build_object('provider', new.provider));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.audit_notice_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('notice_address_added', new.user_id);
  else
    perform internal.record_event('notice_address_removed', old.user_id);
  end if;
  return null;
end
$function$;
alter function internal.audit_notice_address() owner to service_role;

CREATE OR REPLACE FUNCTION internal.audit_notice_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.record_event('notice_settings_changed', new.user_id);
  return null;
end
$function$;
alter function internal.audit_notice_settings() owner to service_role;

CREATE OR REPLACE FUNCTION internal.audit_push_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('push_subscription_added', new.user_id, new.session_id);
  else
    perform internal.record_event('push_subscription_removed', old.user_id, old.session_id);
  end if;
  return null;
end
$function$;
alter function internal.audit_push_subscription() owner to service_role;

CREATE OR REPLACE FUNCTION internal.audit_second_contact()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('second_contact_invited', new.owner_id);
  elsif tg_op = 'DELETE' then
    perform internal.record_event('second_contact_removed', old.owner_id);
  elsif old.agreed_at is null and new.agreed_at is not null then
    perform internal.record_event('second_contact_agreed', new.owner_id);
  elsif old.left_at is null and new.left_at is not null then
    perform internal.record_event('second_contact_left', new.owner_id);
  end if;
  return null;
end
$function$;
alter function internal.audit_second_contact() owner to service_role;

CREATE OR REPLACE FUNCTION internal.audit_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('signed_in', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method', 'new_device', new.device_is_new));
  elsif tg_op = 'DELETE' then
    perform internal.record_event('session_ended', old.user_id, old.id);
  elsif new.aal = 'aal2' then
    perform internal.record_event('second_factor_passed', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method'));
  else
    perform internal.record_event('session_lowered', new.user_id, new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.audit_sticker_batch()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into auth.audit_log (event, by_operator, details)
    values ('codes_issued', true, jsonb_build_object('batch', new.id, 'size', new.size));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.bound_known_devices()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from auth.known_devices
    where user_id = new.user_id and device_hash = any (array(
      select beyond.device_hash from auth.known_devices as beyond
        where beyond.user_id = new.user_id and beyond.device_hash = any (array(
          select device.device_hash from auth.known_devices as device
            where device.user_id = new.user_id and device.has_shown_factor = new.has_shown_factor
            order by device.device_hash = new.device_hash desc, device.seen_at desc
            offset 100
        ))
        for update skip locked
    ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.bound_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions where id = any (array(
    select beyond.id from auth.sessions as beyond
      where beyond.id = any (array(
        select session.id from auth.sessions as session
          where session.user_id = new.user_id and session.aal = new.aal
          order by session.id = new.id desc,
            exists (
              select from auth.known_devices as device
                where device.user_id = session.user_id and device.device_hash = session.device_hash
                  and device.has_shown_factor
            ) desc,
            greatest(session.created_at, session.refreshed_at) desc
          offset 100
      ))
      for update skip locked
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.check_further_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.owner_id is not distinct from old.owner_id and new.stands_for is not distinct from old.stands_for then
    return new;
  end if;
  if new.owner_id is null then
    new.stands_for := null;
    return new;
  end if;
  -- Held, so that the item cannot be deleted or get another own code meanwhile.
  perform from public.items where qr_id = new.stands_for and user_id = new.owner_id for key share;
  if not found or exists (select from public.items where qr_id = new.qr_id) then
    raise exception 'A further code stands for the code of an item of its owner' using errcode = '23514';
  end if;
  return new;
end
$function$;
alter function internal.check_further_code() owner to service_role;

CREATE OR REPLACE FUNCTION internal.check_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Fails for a time zone that PostgreSQL does not know (22023).
  perform now() at time zone new.time_zone;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.claim_code(qr_id_param text, owner_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  holder uuid;
begin
  if internal.is_claimable_code(qr_id_param) then
    insert into public.qr_codes as existing (qr_id, owner_id, claimed_at)
      values (qr_id_param, owner_id_param, now())
      on conflict (qr_id) do update
        set owner_id = coalesce(existing.owner_id, excluded.owner_id),
            claimed_at = coalesce(existing.claimed_at, excluded.claimed_at)
        where existing.voided_at is null
      returning existing.owner_id into holder;
  else
    update public.qr_codes
      set owner_id = coalesce(owner_id, owner_id_param), claimed_at = coalesce(claimed_at, now())
      where qr_id = qr_id_param and voided_at is null
        and (owner_id is not null or issued_at is not null or not internal.claims_only_issued_codes())
      returning owner_id into holder;
  end if;

  -- The same for a code that is void and one that is not known.
  if not found then
    raise exception 'This QR code was not issued by this service' using errcode = '22023';
  end if;
  if holder is distinct from owner_id_param then
    raise exception 'This QR code is already registered to another account' using errcode = '23505';
  end if;
end
$function$;
alter function internal.claim_code(text,uuid) owner to service_role;

CREATE OR REPLACE FUNCTION internal.claim_code_of_new_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The policy of the table, which is asked after this trigger, refuses the row. Whether there is such an account, or
  -- such a code, must not matter before that.
  if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
    return new;
  end if;
  -- The row lock that claiming takes must come before the look for an item: two taggers then meet here, one after the other.
  begin
    perform internal.claim_code(new.qr_id, new.user_id);
  exception when unique_violation then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end;
  if exists (select from public.items where qr_id = internal.own_code_of_item(new.qr_id)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$function$;
alter function internal.claim_code_of_new_item() owner to service_role;

CREATE OR REPLACE FUNCTION internal.claims_only_issued_codes()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select coalesce(pg_catalog.current_setting('reunite.claimable_codes', true), '') = 'issued' $function$;
grant execute on function internal.claims_only_issued_codes() to service_role;

CREATE OR REPLACE FUNCTION internal.clean_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.raw_user_meta_data := pg_catalog.jsonb_set(new.raw_user_meta_data, '{full_name}', pg_catalog.to_jsonb(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.raw_user_meta_data ->> 'full_name', '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g')));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.clean_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.item_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.item_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.reward := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.reward, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.description := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.description, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.note_to_finders := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.note_to_finders, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.clean_place(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
    select nullif(regexp_replace(internal.trim_message(typed), '[\u0009\u000A\u0085\u2028\u2029]+', ' ', 'g'), '')
  $function$;
alter function internal.clean_place(text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.clean_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.full_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.full_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.conversation_of_key(item_id_param uuid, finder_key_param text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select conversation.id
      from public.conversations as conversation
      where conversation.finder_key_hash = sha256(convert_to(finder_key_param, 'UTF8'))
        and conversation.item_id = item_id_param
    union all
    select conversation.id
      from internal.return_keys as return_key
      join public.conversations as conversation on conversation.id = return_key.conversation_id
      where return_key.key_hash = sha256(convert_to(finder_key_param, 'UTF8'))
        and conversation.item_id = item_id_param
    limit 1
  $function$;
alter function internal.conversation_of_key(uuid,text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.create_profile_of_new_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), 200),
      coalesce(new.email, new.claimed_email),
      -- Whatever else stands there is no reason to turn an account away, and no number to offer to a finder.
      substring(new.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
    )
    on conflict (id) do nothing;
  return null;
end
$function$;
alter function internal.create_profile_of_new_user() owner to service_role;

CREATE OR REPLACE FUNCTION internal.disclosed_at(happened_at_param timestamp with time zone, written_at_param timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select greatest(
        date_trunc('hour', happened_at_param, 'UTC'),
        -- A message that is younger than an hour would tell the minutes in which it was read.
        date_trunc('hour', written_at_param, 'UTC') + interval '1 hour'
      ) + interval '1 hour'
  $function$;
alter function internal.disclosed_at(timestamp with time zone,timestamp with time zone) owner to service_role;
comment on function internal.disclosed_at(timestamp with time zone,timestamp with time zone) is 'When a finder learns what the owner did with a message: the first full hour afterwards at which the message is an hour old.';

CREATE OR REPLACE FUNCTION internal.end_of_quiet_hours(quiet_from time without time zone, quiet_to time without time zone, time_zone text, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO ''
AS $function$
    select case
        when quiet_from < quiet_to and clock >= quiet_from and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock >= quiet_from then (day + 1 + quiet_to) at time zone time_zone
      end
      from (select (at at time zone time_zone)::date as day, (at at time zone time_zone)::time as clock) as local
  $function$;
grant execute on function internal.end_of_quiet_hours(time without time zone,time without time zone,text,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_acceptance_mail(offer_id_param uuid, giver_id_param uuid, email_param text, item_name_param text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object(
      'offer_id', offer_id_param, 'about', 'acceptance', 'giver_id', giver_id_param, 'email', email_param,
      'item_name', item_name_param
    ),
    job_key := 'send_offer_mail:acceptance:' || offer_id_param
  );
end
$function$;
grant execute on function internal.enqueue_acceptance_mail(uuid,uuid,text,text) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_account_mail(kind_param text, user_id_param uuid, address_param text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if kind_param not in (
    'address_proof', 'address_lost', 'email_changed', 'notice_address_added', 'password_changed', 'phone_changed'
  ) then
    raise exception 'There is no such mail' using errcode = '22023';
  end if;
  perform graphile_worker.add_job(
    'send_account_mail',
    pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'kind', kind_param, 'user_id', user_id_param, 'address', address_param
    )
  );
end
$function$;
grant execute on function internal.enqueue_account_mail(text,uuid,text) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_contact_invitation(contact_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'invite_second_contact',
    pg_catalog.json_build_object('contact_id', contact_id_param),
    job_key := 'invite_second_contact:' || contact_id_param,
    max_attempts := 13
  );
end
$function$;
grant execute on function internal.enqueue_contact_invitation(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_contact_notice(contact_id_param uuid, conversation_id_param uuid, run_at_param timestamp with time zone, mode_param text DEFAULT 'preserve_run_at'::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'notify_second_contact',
    pg_catalog.json_build_object('contact_id', contact_id_param, 'conversation_id', conversation_id_param),
    job_key := 'notify_second_contact:' || contact_id_param || ':' || conversation_id_param,
    job_key_mode := mode_param,
    run_at := run_at_param,
    max_attempts := 13,
    flags := (select array['sms'] from public.second_contacts where id = contact_id_param and phone is not null)
  );
end
$function$;
grant execute on function internal.enqueue_contact_notice(uuid,uuid,timestamp with time zone,text) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_contact_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.enqueue_contact_notice(contact.id, new.conversation_id, now() + interval '1 hour')
    from public.second_contacts as contact
    where contact.owner_id = new.owner_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$function$;
alter function internal.enqueue_contact_notices() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_file_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION internal.enqueue_finder_proof(address_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'prove_finder_address',
    pg_catalog.json_build_object('address_id', address_id_param, 'request_id', pg_catalog.gen_random_uuid()),
    job_key := 'prove_finder_address:' || address_id_param
  );
end
$function$;
grant execute on function internal.enqueue_finder_proof(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_message_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'notify_owner_of_message',
    pg_catalog.json_build_object('message_id', new.id),
    job_key := 'notify_owner_of_message:' || new.id
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.enqueue_message_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.enqueue_notice(address.id, new.id)
    from public.notice_addresses as address
    where address.user_id = new.owner_id and address.ended_at is null;
  return null;
end
$function$;
alter function internal.enqueue_message_notices() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_message_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.enqueue_push(subscription.id, new.id)
    from public.push_subscriptions as subscription
    where subscription.user_id = new.owner_id and subscription.ended_at is null
      and not exists (
        select from public.notice_settings as settings where settings.user_id = new.owner_id and not settings.push
      );
  return null;
end
$function$;
alter function internal.enqueue_message_pushes() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_new_sign_in_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'notify_new_sign_in',
    pg_catalog.json_build_object('user_id', new.user_id, 'session_id', new.id),
    job_key := 'notify_new_sign_in:' || new.id
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.enqueue_notice(address_id_param uuid, message_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'send_notice',
    pg_catalog.json_build_object('address_id', address_id_param, 'message_id', message_id_param),
    job_key := 'send_notice:' || address_id_param || ':' || coalesce(message_id_param::text, 'test'),
    -- Like pushes, they go to addresses that clients chose.
    flags := array['push']
  );
end
$function$;
grant execute on function internal.enqueue_notice(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_notices_of_lost_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.enqueue_notices_of_unseen(contact.id, new.id)
    from public.second_contacts as contact
    where contact.owner_id = new.user_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$function$;
alter function internal.enqueue_notices_of_lost_item() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_notices_of_new_contact()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.enqueue_notices_of_unseen(new.id);
  return null;
end
$function$;
alter function internal.enqueue_notices_of_new_contact() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_notices_of_unseen(contact_id_param uuid, item_id_param uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most_conversations constant integer := 20;
  is_of_one_item constant boolean := item_id_param is not null;
  soonest constant timestamptz := now() + case when is_of_one_item then interval '5 minutes' else interval '0' end;
begin
  perform internal.enqueue_contact_notice(
      contact_id_param, waiting.conversation_id, greatest(soonest, waiting.since + interval '1 hour'),
      case when is_of_one_item then 'replace' else 'preserve_run_at' end
    )
    from (
      select message.conversation_id, min(message.created_at) as since
        from public.second_contacts as contact
        join public.messages as message
          on message.owner_id = contact.owner_id and message.sender = 'finder' and message.read_at is null
            and message.item_id = coalesce(item_id_param, message.item_id)
        join public.items as item
          on item.id = message.item_id and item.given_at is null and (contact.for_all or item.lost_at is not null)
        join public.conversations as conversation
          on conversation.id = message.conversation_id and conversation.returned_at is null
        where contact.id = contact_id_param and contact.agreed_at is not null and contact.left_at is null
          and not internal.is_muted(message.conversation_id)
          and not exists (
            select from public.messages as reply
              where reply.conversation_id = message.conversation_id and reply.sender = 'owner'
                and reply.created_at >= message.created_at
          )
        group by message.conversation_id
        order by max(message.created_at) desc
        limit most_conversations
    ) as waiting;
end
$function$;
grant execute on function internal.enqueue_notices_of_unseen(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_offer_mail(offer_id_param uuid, about_param text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object('offer_id', offer_id_param, 'about', about_param),
    job_key := 'send_offer_mail:' || about_param || ':' || offer_id_param
  );
end
$function$;
grant execute on function internal.enqueue_offer_mail(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_push(subscription_id_param uuid, message_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'send_push',
    pg_catalog.json_build_object('subscription_id', subscription_id_param, 'message_id', message_id_param),
    job_key := 'send_push:' || subscription_id_param || ':' || coalesce(message_id_param::text, 'test'),
    flags := array['push']
  );
end
$function$;
grant execute on function internal.enqueue_push(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_reply_notice(conversation_id_param uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'notify_finder_of_reply',
    pg_catalog.json_build_object('conversation_id', conversation_id_param),
    job_key := 'notify_finder_of_reply:' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + interval '1 minute'
  );
end
$function$;
grant execute on function internal.enqueue_reply_notice(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_report_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'notify_operator_of_report',
    pg_catalog.json_build_object('report_id', new.id),
    job_key := 'notify_operator_of_report:' || new.id
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.enqueue_unseen_notice(step_param text, conversation_id_param uuid, run_at_param timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  job_key_param text := 'notify_of_unseen:' || step_param || ':' || conversation_id_param;
begin
  perform graphile_worker.add_job(
    'notify_of_unseen',
    pg_catalog.json_build_object('step', step_param, 'conversation_id', conversation_id_param),
    job_key := job_key_param,
    job_key_mode := 'preserve_run_at',
    run_at := least(run_at_param, (
      select job.run_at from graphile_worker.jobs as job where job.key = job_key_param and job.locked_at is null
    )),
    -- The waits grow to six hours: the last attempt is 22 hours after the first.
    max_attempts := 13,
    flags := case when step_param = 'sms' then array['sms'] end
  );
end
$function$;
grant execute on function internal.enqueue_unseen_notice(text,uuid,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_unseen_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  settings public.notice_settings;
begin
  select * into settings from public.notice_settings where user_id = new.owner_id;
  if settings.sms then
    perform internal.enqueue_unseen_notice('sms', new.conversation_id, now() + interval '15 minutes');
  end if;
  if coalesce(settings.reminder, true) then
    perform internal.enqueue_unseen_notice('reminder', new.conversation_id, now() + interval '1 day');
  end if;
  return null;
end
$function$;
alter function internal.enqueue_unseen_notices() owner to service_role;

CREATE OR REPLACE FUNCTION internal.enqueue_void_mail(owner_id_param uuid, qr_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform graphile_worker.add_job(
    'send_void_mail',
    pg_catalog.json_build_array(
      pg_catalog.json_build_object('id', pg_catalog.gen_random_uuid(), 'owner_id', owner_id_param, 'qr_ids', qr_ids)
    ),
    job_key := 'send_void_mail:' || owner_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + interval '5 minutes'
  );
end
$function$;
grant execute on function internal.enqueue_void_mail(uuid,text[]) to service_role;

CREATE OR REPLACE FUNCTION internal.first_name(full_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select coalesce(nullif(split_part(btrim(full_name), ' ', 1), ''), 'Item Owner') $function$;
grant execute on function internal.first_name(text) to service_role;

CREATE OR REPLACE FUNCTION internal.follow_email_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.profiles set email = coalesce(new.email, new.claimed_email)
    where id = new.id and email is distinct from coalesce(new.email, new.claimed_email);
  return null;
end
$function$;
alter function internal.follow_email_of_user() owner to service_role;

CREATE OR REPLACE FUNCTION internal.follow_phone_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.profiles set phone = '+' || new.phone where id = new.id and phone is distinct from '+' || new.phone;
  return null;
end
$function$;
alter function internal.follow_phone_of_user() owner to service_role;

CREATE OR REPLACE FUNCTION internal.forget_lost_email()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.lost_email_hash := null;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.forget_offers_to_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.item_offers where email = old.email and accepted_at is null;
  update public.item_offers set email = null where email = old.email;
  return null;
end
$function$;
alter function internal.forget_offers_to_account() owner to service_role;

CREATE OR REPLACE FUNCTION internal.forget_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.items set photo = null where old.bucket_id = 'item-photos' and photo = old.name;
  update public.profiles set avatar = null where old.bucket_id = 'avatars' and avatar = old.name;
  update public.messages set photo = false
    where old.bucket_id = 'message-photos' and id = case
      when old.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp$' then left(old.name, 36)::uuid
    end;
  return null;
end
$function$;
alter function internal.forget_picture() owner to service_role;

CREATE OR REPLACE FUNCTION internal.free_code_of_deleted_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.free_codes(array(select qr_id from public.qr_codes where stands_for = old.qr_id) || old.qr_id);
  return null;
end
$function$;
alter function internal.free_code_of_deleted_item() owner to service_role;

CREATE OR REPLACE FUNCTION internal.free_codes(qr_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform internal.hold_batches(qr_ids);
  update public.qr_codes set owner_id = null, claimed_at = null, stands_for = null where qr_id = any (qr_ids);
  delete from public.qr_codes where qr_id = any (qr_ids) and issued_at is null and voided_at is null;
end
$function$;
grant execute on function internal.free_codes(text[]) to service_role;

CREATE OR REPLACE FUNCTION internal.give_typed_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Two tag codes share a typed code once in 10^13 pairs of 75 bits. The first keeps it.
  insert into internal.typed_codes (typed_code, qr_id)
    values (internal.typed_code_of(new.qr_id), new.qr_id)
    on conflict do nothing;
  return null;
end
$function$;
alter function internal.give_typed_code() owner to service_role;

CREATE OR REPLACE FUNCTION internal.given_item(item_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'id', record.id, 'item_type', record.item_type, 'item_name', record.item_name, 'given_at', record.given_at,
        'email', (select email from public.item_offers where item_id = record.id and accepted_at is not null limit 1),
        'has_messages', exists (select from public.messages where item_id = record.id)
      )
      from public.items as record where record.id = item_id_param
  $function$;
grant execute on function internal.given_item(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.hash_recovery_code(code text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
    select pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.translate(
      pg_catalog.regexp_replace(pg_catalog.lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'UTF8'))
  $function$;
grant execute on function internal.hash_recovery_code(text) to service_role;

CREATE OR REPLACE FUNCTION internal.hold_batches(qr_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform from public.sticker_batches
    where id = any (array(select batch_id from public.qr_codes where qr_id = any (qr_ids)))
    order by id for share;
end
$function$;
grant execute on function internal.hold_batches(text[]) to service_role;

CREATE OR REPLACE FUNCTION internal.hold_batches_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = old.id));
  return old;
end
$function$;
alter function internal.hold_batches_of_account() owner to service_role;

CREATE OR REPLACE FUNCTION internal.hold_items_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := auth.uid();
begin
  if caller is null or not exists (select from added where user_id = caller) then
    return null;
  end if;
  -- Of two inserts at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('items of ' || caller, 0));
  if exists (
    select from public.items where user_id = caller and given_at is null order by created_at desc offset most limit 1
  ) then
    raise exception 'The account has no room left for another item' using errcode = 'PT413';
  end if;
  return null;
end
$function$;
alter function internal.hold_items_quota() owner to service_role;

CREATE OR REPLACE FUNCTION internal.hold_measured_labels_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_labels constant integer := 20;
  caller uuid := auth.uid();
begin
  if caller is null or not exists (select from added where user_id = caller) then
    return null;
  end if;
  -- Of two inserts at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('measured labels of ' || caller, 0));
  if (select count(*) from public.measured_labels where user_id = caller) > most_labels then
    raise exception 'An account has at most % measured labels', most_labels using errcode = 'PT413';
  end if;
  return null;
end
$function$;
alter function internal.hold_measured_labels_quota() owner to service_role;

CREATE OR REPLACE FUNCTION internal.hold_storage_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    from storage.objects as object where object.owner = new.owner and object.bucket_id <> 'message-photos';
  if objects > most_objects or bytes > most_bytes then
    raise exception 'The account has no room left for this' using errcode = 'PT413';
  end if;
  return null;
end
$function$;
alter function internal.hold_storage_quota() owner to service_role;

CREATE OR REPLACE FUNCTION internal.is_claimable_code(qr_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select not internal.claims_only_issued_codes() and (
      qr_id ~ '^tgt-[A-Za-z0-9_-]{14,60}$'
      or (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item' and coalesce(current_setting('reunite.development', true), 'off') = 'on')
    )
  $function$;
grant execute on function internal.is_claimable_code(text) to service_role;

CREATE OR REPLACE FUNCTION internal.is_known_device(account_param uuid, device_hash_param bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select exists (
      select from auth.known_devices as device
        where device.user_id = account_param and device.device_hash = device_hash_param
          and (device.has_shown_factor or not exists (
            select from auth.mfa_factors as factor where factor.user_id = account_param and factor.status = 'verified'
          ))
    )
  $function$;
grant execute on function internal.is_known_device(uuid,bytea) to service_role;

CREATE OR REPLACE FUNCTION internal.is_muted(conversation_id_param uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select exists (
      select from public.conversations
        where id = conversation_id_param and (muted_at is not null or blocked_at is not null)
    )
  $function$;
alter function internal.is_muted(uuid) owner to service_role;

CREATE OR REPLACE FUNCTION internal.is_recent_proof(proved_at timestamp with time zone, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select proved_at > at - interval '24 hours' $function$;
grant execute on function internal.is_recent_proof(timestamp with time zone,timestamp with time zone) to service_role;

CREATE OR REPLACE FUNCTION internal.is_void(qr_id_param text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select exists (select from public.qr_codes where qr_id = qr_id_param and voided_at is not null) $function$;
grant execute on function internal.is_void(text) to service_role;

CREATE OR REPLACE FUNCTION internal.keep_block()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into internal.blocked_keys (owner_id, key_hash)
    select old.owner_id, known.key_hash
      from (
        select old.finder_key_hash as key_hash where old.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = old.id
      ) as known
      -- With the account, everything of it is deleted.
      where exists (select from auth.users where id = old.owner_id)
    on conflict do nothing;
  return old;
end
$function$;
alter function internal.keep_block() owner to service_role;

CREATE OR REPLACE FUNCTION internal.keep_newest_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_messages constant integer := 50000;
  most_at_once constant integer := 10;
  excess integer;
  source uuid;
begin
  if not exists (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit 1
  ) then
    return null;
  end if;
  -- Senders to a full item take turns, so that each deletes other messages.
  perform pg_advisory_xact_lock(hashtextextended('messages of ' || new.item_id, 0));
  select count(*) into excess from (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit most_at_once
  ) as beyond;
  select id into source from public.conversations as conversation
    where item_id = new.item_id and replied_at is null and id <> new.conversation_id
      and exists (select from public.messages where conversation_id = conversation.id)
    order by created_at limit 1;
  if source is not null then
    -- What another transaction holds is passed over: it may wait for the turn that this one has.
    delete from public.messages where id in (
      select id from public.messages where conversation_id = source order by created_at limit excess
        for update skip locked
    );
    delete from public.conversations where id = (
      select id from public.conversations
        where id = source and not exists (select from public.messages where conversation_id = source)
        for update skip locked
    );
  else
    delete from public.messages where id in (
      select id from public.messages where item_id = new.item_id and id <> new.id order by created_at limit excess
        for update skip locked
    );
  end if;
  return null;
end
$function$;
alter function internal.keep_newest_messages() owner to service_role;

CREATE OR REPLACE FUNCTION internal.keep_newest_openings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_openings constant integer := 1000;
  most_at_once constant integer := 10;
begin
  -- What another transaction deletes is passed over.
  delete from public.channel_openings where id in (
    select id from public.channel_openings where item_id = new.item_id
      order by opened_at desc offset most_openings limit most_at_once for update skip locked
  );
  return null;
end
$function$;
alter function internal.keep_newest_openings() owner to service_role;

CREATE OR REPLACE FUNCTION internal.keep_proved_phone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from auth.users
      where id = new.id and phone is not null and phone_confirmed_at is not null and '+' || phone is distinct from new.phone
  ) then
    raise exception 'A proved phone number is changed with a code' using errcode = '42501';
  end if;
  return new;
end
$function$;
alter function internal.keep_proved_phone() owner to service_role;

CREATE OR REPLACE FUNCTION internal.known_device_of_session(session_param uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select pg_catalog.encode(session.device_hash, 'hex') from auth.sessions as session
      where session.id = session_param and internal.is_known_device(session.user_id, session.device_hash)
  $function$;
grant execute on function internal.known_device_of_session(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.leave_as_contact(token_hash_param bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.second_contacts as contact
    set left_at = coalesce(contact.left_at, now()), quiet_from = null, quiet_to = null, time_zone = null
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id;
  return found;
end
$function$;
grant execute on function internal.leave_as_contact(bytea) to service_role;

CREATE OR REPLACE FUNCTION internal.leave_finder_address(conversation_id_param uuid, address_param text, qr_id_param text, language_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kept internal.finder_addresses;
begin
  -- Before its address, as the owner's deletion and replies do.
  perform from public.conversations where id = conversation_id_param for key share;
  if not found then
    return false;
  end if;
  -- An expired one is gone, and so are its links.
  delete from internal.finder_addresses where conversation_id = conversation_id_param and expires_at < now();
  insert into internal.finder_addresses as earlier (conversation_id, address, qr_id, language, expires_at)
    values (conversation_id_param, address_param, qr_id_param, language_param, now() + interval '1 day')
    on conflict (conversation_id) do update set
      id = case when earlier.address = excluded.address then earlier.id else excluded.id end,
      address = excluded.address,
      qr_id = excluded.qr_id,
      language = excluded.language,
      proved_at = case when earlier.address = excluded.address then earlier.proved_at end,
      expires_at = case
        when earlier.address = excluded.address then greatest(earlier.expires_at, excluded.expires_at)
        else excluded.expires_at
      end,
      notified_at = case when earlier.address = excluded.address then earlier.notified_at end
    returning * into kept;
  if kept.proved_at is null then
    perform internal.enqueue_finder_proof(kept.id);
  end if;
  return true;
end
$function$;
grant execute on function internal.leave_finder_address(uuid,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION internal.look_at_conversation(conversation_id_param uuid, shown_param uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kept internal.finder_addresses;
begin
  -- Most looks are at conversations that wait for none. A reply that is being written enqueues its own notice.
  if not exists (
    select from internal.finder_addresses where conversation_id = conversation_id_param and reply_id is not null
  ) then
    return;
  end if;
  -- Waits for a reply that is being written, so that the statements below see it.
  perform from internal.finder_addresses where conversation_id = conversation_id_param for no key update;
  update internal.finder_addresses set
      notified_at = null,
      reply_id = (
        select reply.id from public.messages as reply
          where reply.conversation_id = conversation_id_param and reply.sender = 'owner'
            and reply.id <> all (shown_param)
            and reply.created_at >= (select min(created_at) from public.messages where id = any (shown_param))
          order by reply.created_at, reply.id
          limit 1
      )
    where conversation_id = conversation_id_param and reply_id is not null
    returning * into kept;
  if kept.reply_id is not null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(conversation_id_param);
  end if;
end
$function$;
grant execute on function internal.look_at_conversation(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION internal.lower_sessions_of_removed_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  is_last boolean := not exists (
    select from auth.mfa_factors where user_id = old.user_id and status = 'verified' and id <> old.id
  );
begin
  update auth.sessions
    set aal = 'aal1', factor_id = null, amr = (
      select coalesce(pg_catalog.jsonb_agg(entry order by place), '[]')
        from pg_catalog.jsonb_array_elements(amr) with ordinality as entries (entry, place)
        where entry ->> 'method' not in ('totp', 'mfa/phone', 'mfa/recovery_code')
    )
    where user_id = old.user_id and aal = 'aal2' and (is_last or factor_id = old.id);
  if is_last then
    delete from auth.recovery_codes where user_id = old.user_id;
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION internal.may_give(giver uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select exists (
      select from auth.users where id = giver and deleted_at is null and (banned_until is null or banned_until <= now())
    )
  $function$;
grant execute on function internal.may_give(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.move_item(item_id_param uuid, new_owner uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item public.items;
  code text;
  further_codes text[];
  void_codes text[];
  moved_id uuid;
begin
  select * into item from public.items where id = item_id_param;
  code := item.qr_id;
  further_codes := array(select qr_id from public.qr_codes where stands_for = code);
  -- In one order, and held against an operator who voids them in this moment.
  perform from public.qr_codes where qr_id = any (further_codes || code) order by qr_id for no key update;
  if internal.is_void(code) then
    raise exception 'The code of this item is void' using errcode = 'PT423';
  end if;

  -- Whoever has a key writes to the new owner from now on. What the former owner blocked stays blocked for them.
  perform from public.conversations where item_id = item.id order by id for no key update;
  insert into internal.blocked_keys (owner_id, key_hash)
    select conversation.owner_id, known.key_hash
      from public.conversations as conversation
      cross join lateral (
        select conversation.finder_key_hash as key_hash where conversation.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = conversation.id
      ) as known
      where conversation.item_id = item.id and conversation.blocked_at is not null
    on conflict do nothing;
  delete from internal.return_keys as return_key
    using public.conversations as conversation
    where conversation.item_id = item.id and return_key.conversation_id = conversation.id;
  update public.conversations set finder_key_hash = null where item_id = item.id and finder_key_hash is not null;
  -- Its finders open these conversations no more, so no email leads there.
  delete from internal.finder_addresses as kept
    using public.conversations as conversation
    where conversation.item_id = item.id and kept.conversation_id = conversation.id;

  -- The item first, then its codes: a further code stands for the code of an item of its owner.
  update public.items
    set qr_id = null, given_at = now(), photo = null, lost_at = null, description = null, note_to_finders = null, reward = null
    where id = item.id;
  update storage.objects set owner = new_owner, owner_id = new_owner::text
    where bucket_id = 'item-photos' and name = item.photo;
  update public.qr_codes set owner_id = new_owner where qr_id = code;
  insert into public.items (qr_id, user_id, item_type, item_name, description, photo)
    values (code, new_owner, item.item_type, item.item_name, item.description, item.photo)
    returning id into moved_id;
  update public.qr_codes set owner_id = new_owner where qr_id = any (further_codes);
  -- Whoever gets the item learns which of its stickers do not work; the former owner may not have been told in time.
  void_codes := array(select qr_id from public.qr_codes where qr_id = any (further_codes) and voided_at is not null);
  if cardinality(void_codes) > 0 then
    perform internal.enqueue_void_mail(new_owner, void_codes);
  end if;
  return moved_id;
end
$function$;
grant execute on function internal.move_item(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.new_tag_code()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    select 'tgt-' || translate(left(encode(sha256(
      uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    ), 'base64'), 16), '+/', '-_')
  $function$;
grant execute on function internal.new_tag_code() to service_role;

CREATE OR REPLACE FUNCTION internal.note_message_for_finder()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept internal.finder_addresses;
begin
  update internal.finder_addresses set
      expires_at = case when proved_at is null then expires_at else now() + interval '90 days' end,
      reply_id = case when new.sender = 'owner' then coalesce(reply_id, new.id) else reply_id end
    where conversation_id = new.conversation_id and expires_at >= now()
    returning * into kept;
  -- Also where an earlier reply could not be announced, such as behind a code that was void. A notice that waits is not doubled.
  if new.sender = 'owner' and kept.reply_id is not null and kept.notified_at is null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(new.conversation_id);
  end if;
  return null;
end
$function$;
alter function internal.note_message_for_finder() owner to service_role;

CREATE OR REPLACE FUNCTION internal.note_reply()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversations set replied_at = new.created_at where id = new.conversation_id and replied_at is null;
  return null;
end
$function$;
alter function internal.note_reply() owner to service_role;

CREATE OR REPLACE FUNCTION internal.open_channel(qr_id_param text, channel_param text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  if internal.is_void(qr_id_param) then
    return null;
  end if;
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
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
$function$;
alter function internal.open_channel(text,text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.own_code_of_item(qr_id_param text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select coalesce((select stands_for from public.qr_codes where qr_id = qr_id_param), qr_id_param) $function$;
grant execute on function internal.own_code_of_item(text) to service_role;

CREATE OR REPLACE FUNCTION internal.progress_of_conversation(conversation_id_param uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'state', case
          when seen.is_disclosed and owner.seen_shown then 'seen'
          when conversation.contacted_at >= latest.created_at then 'contacted'
          when seen.is_disclosed or shown.is_disclosed or conversation.delivered_until >= latest.created_at then 'delivered'
          else 'sent'
        end,
        'seen_at', case when seen.is_disclosed and owner.seen_shown then seen.disclosed_at - interval '1 hour' end
      )
      from (
        select * from public.messages
          where conversation_id = conversation_id_param order by created_at desc, id desc limit 1
      ) as latest
      join public.conversations as conversation on conversation.id = latest.conversation_id
      left join public.profiles as owner on owner.id = conversation.owner_id
      cross join lateral (
        select disclosed_at, disclosed_at <= now() as is_disclosed
          from internal.disclosed_at(latest.read_at, latest.created_at) as disclosed_at
          where latest.read_at is not null
        union all
        select null, false where latest.read_at is null
      ) as seen
      cross join lateral (
        select coalesce(
            conversation.shown_until >= latest.created_at
              and internal.disclosed_at(conversation.shown_at, latest.created_at) <= now(),
            false
          ) as is_disclosed
      ) as shown
      where latest.sender = 'finder' and conversation.returned_at is null
  $function$;
alter function internal.progress_of_conversation(uuid) owner to service_role;

CREATE OR REPLACE FUNCTION internal.prove_finder_address(address_id_param uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  proved internal.finder_addresses;
begin
  update internal.finder_addresses
    set proved_at = now(), expires_at = now() + interval '90 days'
    where id = address_id_param and proved_at is null and expires_at >= now()
    returning * into proved;
  -- The owner may have replied meanwhile.
  if proved.reply_id is not null then
    perform internal.enqueue_reply_notice(proved.conversation_id);
  end if;
  return proved.address;
end
$function$;
grant execute on function internal.prove_finder_address(uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.proved_address()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select email from auth.users
      where id = (select auth.uid()) and email_confirmed_at is not null and deleted_at is null
  $function$;
grant execute on function internal.proved_address() to service_role;

CREATE OR REPLACE FUNCTION internal.read_as_contact(token_hash_param bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select jsonb_build_object(
        'owner_first_name', internal.first_name(profile.full_name),
        'for_all', contact.for_all,
        'has_agreed', contact.agreed_at is not null,
        'has_left', contact.left_at is not null,
        'quiet_from', to_char(contact.quiet_from, 'HH24:MI'),
        'quiet_to', to_char(contact.quiet_to, 'HH24:MI'),
        'time_zone', contact.time_zone,
        'conversation', case when conversation.id is not null then jsonb_build_object(
          'id', conversation.id,
          'item_type', item.item_type,
          'item_name', item.item_name,
          'is_open', conversation.blocked_at is null and conversation.returned_at is null and item.given_at is null,
          'messages', (
            select jsonb_agg(jsonb_build_object(
                'id', message.id,
                'sender', case when message.by_contact then 'contact' else message.sender end,
                'body', message.body, 'sent_at', message.created_at,
                'kind', message.kind, 'place', message.place, 'photo', message.photo,
                'location', case when message.latitude is not null then jsonb_build_object(
                  'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
                  'exact', message.location_exact
                ) end
              ) order by message.created_at, message.id)
              from (
                select * from public.messages
                  where conversation_id = conversation.id order by created_at desc, id desc limit 100
              ) as message
          )
        ) end
      )
      from internal.contact_links as link
      join public.second_contacts as contact on contact.id = link.contact_id
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      left join public.conversations as conversation
        on conversation.id = link.conversation_id and conversation.owner_id = contact.owner_id
          and contact.agreed_at is not null and contact.left_at is null
      left join public.items as item on item.id = conversation.item_id
      where link.token_hash = token_hash_param
        and (link.conversation_id is null or conversation.id is not null or contact.left_at is not null)
  $function$;
grant execute on function internal.read_as_contact(bytea) to service_role;

CREATE OR REPLACE FUNCTION internal.record_event(event_param text, user_id_param uuid, session_id_param uuid DEFAULT NULL::uuid, details_param jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most_entries constant integer := 50;
  entries integer;
  newest bigint;
begin
  select count(*), max(id) into entries, newest from (
    select id from auth.audit_log
      where user_id = user_id_param and at >= date_trunc('day', now(), 'UTC') and event = event_param
      order by at desc limit most_entries
  ) as today;
  if entries < most_entries then
    insert into auth.audit_log (event, user_id, session_id, details)
      values (event_param, user_id_param, session_id_param, details_param);
  else
    update auth.audit_log set times = times + 1 where id = newest;
  end if;
end
$function$;
grant execute on function internal.record_event(text,uuid,uuid,jsonb) to service_role;

CREATE OR REPLACE FUNCTION internal.record_failure(event_param text, user_id_param uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
BEGIN ATOMIC
 INSERT INTO auth.audit_log AS log (at, event, user_id)
   VALUES (date_trunc('hour'::text, now()), record_failure.event_param, record_failure.user_id_param) ON CONFLICT(event, (COALESCE(user_id, '00000000-0000-0000-0000-000000000000'::uuid)), at)
   WHERE (event = ANY (ARRAY['sign_in_failed'::text, 'second_factor_failed'::text, 'recovery_code_failed'::text])) DO UPDATE SET times = (log.times + 1);
END;
grant execute on function internal.record_failure(text,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.refuse_blocked_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from internal.blocked_keys where owner_id = new.owner_id and key_hash = new.finder_key_hash
  ) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$function$;
alter function internal.refuse_blocked_conversation() owner to service_role;

CREATE OR REPLACE FUNCTION internal.refuse_blocked_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.conversations where id = new.conversation_id and blocked_at is not null) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$function$;
alter function internal.refuse_blocked_message() owner to service_role;

CREATE OR REPLACE FUNCTION internal.refuse_further_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select stands_for from public.qr_codes where qr_id = new.qr_id) is not null then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$function$;
alter function internal.refuse_further_code() owner to service_role;

CREATE OR REPLACE FUNCTION internal.remember_device_with_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into auth.known_devices as known (user_id, device_hash, has_shown_factor)
    values (new.user_id, new.device_hash, true)
    on conflict (user_id, device_hash) do update set has_shown_factor = true where not known.has_shown_factor;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION internal.reopen_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversations set returned_at = null where id = new.conversation_id and returned_at is not null;
  return null;
end
$function$;
alter function internal.reopen_conversation() owner to service_role;

CREATE OR REPLACE FUNCTION internal.repair_profile_of_owner(qr_id_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles (id, full_name, email, phone)
    select
        account.id,
        left(nullif(btrim(account.raw_user_meta_data ->> 'full_name'), ''), 200),
        coalesce(account.email, account.claimed_email),
        substring(account.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
      from public.qr_codes as code
      join auth.users as account on account.id = code.owner_id
      where code.qr_id = qr_id_param
    on conflict (id) do nothing;
  return found;
end
$function$;
alter function internal.repair_profile_of_owner(text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.reply_as_contact(token_hash_param bytea, body_param text, message_id_param uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  trimmed text := internal.trim_message(body_param);
  link internal.contact_links;
  conversation public.conversations;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  select * into link from internal.contact_links where token_hash = token_hash_param;
  select * into conversation from public.conversations where id = link.conversation_id;
  -- Held until the reply is in, in the order of accept_offer and of deletions: account, item, conversation. The conversation
  -- is held against a block, and so that of two replies the second waits before it notes that there is one.
  perform from auth.users where id = conversation.owner_id and deleted_at is null for key share;
  if not found then
    return false;
  end if;
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found then
    return false;
  end if;
  select * into conversation from public.conversations
    where id = link.conversation_id and blocked_at is null and returned_at is null for no key update;
  if not found then
    return false;
  end if;
  perform from public.second_contacts
    where id = link.contact_id and owner_id = conversation.owner_id and agreed_at is not null and left_at is null for share;
  if not found then
    return false;
  end if;
  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body, by_contact)
    values (message_id_param, conversation.id, conversation.item_id, conversation.owner_id, 'owner', trimmed, true)
    on conflict (id) do nothing;
  return exists (
    select from public.messages
      where id = message_id_param and conversation_id = conversation.id and by_contact and body = trimmed
  );
end
$function$;
grant execute on function internal.reply_as_contact(bytea,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION internal.report_page(qr_id_param text, kind_param text, body_param text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  trimmed text := nullif(internal.trim_message(body_param), '');
  owner uuid := (select owner_id from public.qr_codes where qr_id = qr_id_param);
  alike uuid[] := array(
    select id from internal.reports
      where qr_id = qr_id_param and kind = kind_param and owner_then is not distinct from owner and closed_at is null
      order by body is not distinct from trimmed desc, created_at, id
      limit 20
  );
begin
  update internal.reports set repeats = repeats + 1
    where id = alike[1] and (cardinality(alike) = 20 or body is not distinct from trimmed);
  if not found then
    insert into internal.reports (kind, qr_id, body, owner_then) values (kind_param, qr_id_param, trimmed, owner);
  end if;
end
$function$;
grant execute on function internal.report_page(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION internal.require_own_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
alter function internal.require_own_picture() owner to service_role;

CREATE OR REPLACE FUNCTION internal.require_recent_proof()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from auth.sessions as session
      join auth.users as account on account.id = session.user_id
      where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = (select auth.uid())
        and (account.is_anonymous or internal.is_recent_proof(session.proved_at, now()))
  ) then
    raise exception 'This needs a recent sign-in' using errcode = 'PT403';
  end if;
end
$function$;
alter function internal.require_recent_proof() owner to service_role;

CREATE OR REPLACE FUNCTION internal.set_contact_quiet_hours(token_hash_param bytea, quiet_from_param time without time zone, quiet_to_param time without time zone, time_zone_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.second_contacts as contact
    set quiet_from = quiet_from_param, quiet_to = quiet_to_param, time_zone = time_zone_param
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id
      and contact.agreed_at is not null and contact.left_at is null;
  return found;
end
$function$;
grant execute on function internal.set_contact_quiet_hours(bytea,time without time zone,time without time zone,text) to service_role;

CREATE OR REPLACE FUNCTION internal.set_return_keys(conversation_ids uuid[], key_hashes bytea[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    with present as (
      select conversation.id, derived.key_hash
        from unnest(conversation_ids, key_hashes) as derived (conversation_id, key_hash)
        join public.conversations as conversation on conversation.id = derived.conversation_id
        where not exists (select from internal.return_keys as stored where stored.key_hash = derived.key_hash)
        order by conversation.id
        for key share of conversation
    )
    insert into internal.return_keys (conversation_id, key_hash)
      select present.id, present.key_hash from present
      on conflict do nothing
  $function$;
alter function internal.set_return_keys(uuid[],bytea[]) owner to service_role;

CREATE OR REPLACE FUNCTION internal.stamp_read_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.read_at := coalesce(old.read_at, now());
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.tag_at_registration(user_id_param uuid, qr_id_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.items (qr_id, user_id, item_type, item_name, description)
    values (qr_id_param, user_id_param, 'other', 'My Tagged Item', 'Item tagged during registration');
  return true;
exception when unique_violation or invalid_parameter_value or check_violation then
  return false;
end
$function$;
alter function internal.tag_at_registration(uuid,text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.tag_claimed_code(qr_id_param text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.items (qr_id, user_id, item_type, item_name)
    select qr_id, owner_id, 'other', 'My Tagged Item'
      from public.qr_codes
      where qr_id = qr_id_param and owner_id is not null and voided_at is null;
  return found;
exception
  when unique_violation then
    -- Somebody tagged it in the same moment.
    return true;
  when invalid_parameter_value then
    -- Somebody voided it in the same moment.
    return false;
end
$function$;
alter function internal.tag_claimed_code(text) owner to service_role;

CREATE OR REPLACE FUNCTION internal.take_down_message_photo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects where bucket_id = 'message-photos' and name = old.id || '.webp';
  return null;
end
$function$;
alter function internal.take_down_message_photo() owner to service_role;

CREATE OR REPLACE FUNCTION internal.take_down_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects where bucket_id = tg_argv[0] and name = to_jsonb(old) ->> tg_argv[1];
  return null;
end
$function$;
alter function internal.take_down_picture() owner to service_role;

CREATE OR REPLACE FUNCTION internal.time_ordered_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
 SET search_path TO ''
RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint) FROM 3) FROM 1), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;
grant execute on function internal.time_ordered_id() to service_role;

CREATE OR REPLACE FUNCTION internal.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION internal.trim_message(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
    select btrim(
      regexp_replace(
        replace(replace(typed, E'\r\n', E'\n'), E'\r', E'\n'),
        '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g'),
      E'\t\n\x0B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
        || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF'
    )
  $function$;
grant execute on function internal.trim_message(text) to service_role;

CREATE OR REPLACE FUNCTION internal.typed_code_of(qr_id_param text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
    with hashed as (
      select pg_catalog.sha256(pg_catalog.convert_to('typed code:' || qr_id_param, 'UTF8')) as digest
    ), bits as (
      select ('x' || pg_catalog.encode(pg_catalog.substr(digest, 1, 10), 'hex'))::bit(80) as eighty from hashed
    ), own_values as (
      select place, pg_catalog.substring(eighty, 5 * place - 4, 5)::integer as value
        from bits, pg_catalog.generate_series(1, 15) as place
    )
    -- The check character: the sum in GF(32), with x^5 + x^2 + 1, of each value times the power of its place. The array
    -- holds the powers of the generator, from 0 to 30.
    select pg_catalog.string_agg(pg_catalog.substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', value + 1, 1), '' order by place)
        || pg_catalog.substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + pg_catalog.bit_xor(case value when 0 then 0 else
          powers.elements[1 + (pg_catalog.array_position(powers.elements, value) - 1 + place) % 31] end), 1)
      from own_values, (values (array[
        1, 2, 4, 8, 16, 5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19, 3, 6, 12, 24, 21, 15, 30, 25, 23, 11, 22, 9, 18
      ])) as powers (elements)
  $function$;
grant execute on function internal.typed_code_of(text) to service_role;

CREATE OR REPLACE FUNCTION internal.void_freed_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  batch public.sticker_batches;
begin
  select * into batch from public.sticker_batches where id = new.batch_id for share;
  if batch.voided_at is not null then
    new.voided_at := batch.voided_at;
    new.void_reason := batch.void_reason;
  end if;
  return new;
end
$function$;
alter function internal.void_freed_code() owner to service_role;

create publication supabase_realtime for table public.channel_openings, public.items, public.messages;

-- The schema graphile_worker is its library's own, at its revision 20.
