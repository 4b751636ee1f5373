-- Where finders hand things in. All of it is on finders' pages. Messages that name a removed one keep its name and place.
create table public.desks (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 60),
  place text not null check (char_length(place) between 1 and 100),
  phone text check (phone ~ '^[+]?[0-9 ()/.-]{3,30}$'),
  time_zone text not null check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  week jsonb not null,
  days jsonb not null default '{}',
  languages text[] not null default '{}' check (
    cardinality(languages) <= 20 and array_to_string(languages, ' ', '?') ~ '^([a-z]{2,3}(-([A-Z][a-z]{3}|[A-Z]{2}))?( |$))*$'
  ),
  position integer not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint desks_week_check check (week::text ~
    '^\[\[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\](, \[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\]){6}\]$'),
  constraint desks_days_check check (char_length(days::text) <= 20000 and days::text ~
    '^\{((, )?"2\d{3}-\d\d-\d\d": \[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\])*\}$')
);

comment on column public.desks.week is 'Opening hours from Monday to Sunday: of each day, lists of two times. One that is not later than the first is on the next day.';
comment on column public.desks.days is 'Days with other hours, none on a holiday.';
comment on column public.desks.languages is 'Spoken there. BCP 47.';

create policy "anyone reads desks that are there" on public.desks
  for select to anon, authenticated
  using (removed_at is null);

create trigger desks_check_time_zone before insert or update on public.desks
  for each row execute function internal.check_time_zone();

grant select on public.desks to anon, authenticated;

create table public.conversations (
  id uuid primary key default internal.time_ordered_id(),
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  -- SHA-256 of the key that the finder's browser keeps; null where it kept none.
  finder_key_hash bytea unique,
  created_at timestamptz not null default now(),
  replied_at timestamptz,
  returned_at timestamptz,
  delivered_until timestamptz,
  muted_at timestamptz,
  blocked_at timestamptz,
  texted_at timestamptz,
  reminded_at timestamptz,
  contacted_at timestamptz,
  shown_until timestamptz,
  shown_at timestamptz,
  delivered_at timestamptz,
  newest_at timestamptz,
  waits_since timestamptz
);

comment on column public.conversations.replied_at is 'When the owner first replied.';
comment on column public.conversations.returned_at is 'When the owner said that they have the item back. Null again after a further message from the finder.';
comment on column public.conversations.delivered_until is 'When the newest of the finder''s messages of which a notice has left was written.';
comment on column public.conversations.delivered_at is 'When the first notice left of those that the owner had not seen then.';
comment on column public.conversations.muted_at is 'Since when the owner gets no notices of its messages. They arrive all the same.';
comment on column public.conversations.blocked_at is 'Since when the finder''s messages are refused.';
comment on column public.conversations.texted_at is 'When the owner last got an SMS about it.';
comment on column public.conversations.reminded_at is 'When the owner last got a reminder of it.';
comment on column public.conversations.contacted_at is 'When a second contact of the owner was last notified of it.';
comment on column public.conversations.shown_until is 'When the newest of the finder''s messages that a screen of the owner''s has counted was written.';
comment on column public.conversations.shown_at is 'When it has counted that one.';
comment on column public.conversations.newest_at is 'When its newest message was written.';
comment on column public.conversations.waits_since is 'When the finder first wrote after the owner''s latest reply. Null where the owner wrote last.';

create index conversations_item on public.conversations (item_id);
create index conversations_owner on public.conversations (owner_id, newest_at, id);
create index conversations_waiting on public.conversations (owner_id, item_id)
  where waits_since is not null and returned_at is null and blocked_at is null;
create index conversations_without_reply on public.conversations (item_id, created_at) where replied_at is null;

create policy "owners close and reopen their own conversations" on public.conversations
  for update to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));
create policy "owners delete their own conversations" on public.conversations
  for delete to authenticated
  using (owner_id = (select auth.uid()));
create policy "owners read their own conversations" on public.conversations
  for select to authenticated
  using (owner_id = (select auth.uid()));

create trigger conversations_keep_block before delete on public.conversations
  for each row when (old.blocked_at is not null) execute function internal.keep_block();
create trigger conversations_note_ending after delete on public.conversations
  for each row execute function internal.note_ending('id');
create trigger conversations_note_endings after update of blocked_at on public.conversations
  for each row execute function internal.note_ending('id', 'blocked_at');
create trigger conversations_note_hidden after delete or update of muted_at, blocked_at on public.conversations
  for each row execute function internal.note_shown_change('conversation_hidden', 'owner_id');
create trigger conversations_refuse_blocked after insert on public.conversations
  for each row execute function internal.refuse_blocked_conversation();

grant select (id, item_id, owner_id, created_at, returned_at, muted_at, blocked_at, newest_at, waits_since),
  update (returned_at, muted_at, blocked_at), delete on public.conversations to authenticated;

create table public.messages (
  id uuid primary key default internal.time_ordered_id(),
  conversation_id uuid not null references public.conversations on delete cascade,
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  sender text not null check (sender in ('finder', 'owner')),
  -- char_length counts code points.
  body text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  kind text not null default 'text',
  place text constraint messages_place_check check (char_length(place) between 1 and case kind when 'handed_in' then 162 else 100 end),
  latitude numeric(7,5) check (latitude between -90 and 90),
  longitude numeric(8,5) check (longitude between -180 and 180),
  location_exact boolean,
  by_contact boolean not null default false,
  photo boolean not null default false,
  moment timestamptz check (moment between '2000-01-01 00:00:00+00' and '3000-01-01 00:00:00+00'),
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  desk text check (desk in ('desk', 'police', 'driver', 'reception')),
  amount numeric(9,2) check (amount > 0 and amount < 10000000),
  currency text check (currency ~ '^[A-Z]{3}$'),
  language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  desk_id uuid references public.desks on delete set null,
  constraint messages_body_check check (char_length(body) >= case when kind = 'text' then 1 else 0 end and
    char_length(body) <= 250),
  constraint messages_location_check check (num_nulls(latitude, longitude, location_exact) = any (array[0, 3])),
  constraint messages_fields_check check (num_nulls(moment, time_zone) <> 1 and num_nulls(amount, currency) <> 1 and
    (desk is not null) = (kind = 'handed_in') and
    case kind
      when 'can_bring' then true
      when 'here_until' then moment is not null
      when 'can_come' then true
      else moment is null
    end and (amount is null or kind = 'please_post') and (place is not null or kind <> 'please_leave')),
  constraint messages_kind_check check (case sender
    when 'finder' then kind in ('text', 'have_it', 'left_it', 'saw_it', 'photo', 'can_bring', 'here_until', 'handed_in',
      'can_post', 'yes', 'no', 'thanks')
    else kind in ('text', 'where', 'can_come', 'please_leave', 'please_post', 'please_photo', 'still_there', 'thanks',
      'not_mine') and latitude is null and (place is null or kind in ('can_come', 'please_leave'))
    end)
);

comment on column public.messages.location_exact is 'False where the location is rounded to a hundredth of a degree, about a kilometer.';
comment on column public.messages.by_contact is 'Whether a second contact wrote it for the owner.';
comment on column public.messages.time_zone is 'Where the sender was when they named the moment. IANA.';
comment on column public.messages.language is 'That of the page on which it was written. BCP 47.';
comment on column public.messages.desk_id is 'The desk at which the item was handed in, where it is one of the operator''s.';
comment on column public.messages.photo is 'Whether a picture in the bucket message-photos has its id as name.';

create index messages_conversation on public.messages (conversation_id, created_at);
create index messages_desk on public.messages (desk_id) where desk_id is not null;
create index messages_item on public.messages (item_id, created_at desc);
create index messages_owner on public.messages (owner_id, created_at desc);
create index messages_unread on public.messages (owner_id, item_id) where (sender = 'finder') and read_at is null;

create policy "owners mark their own messages as read" on public.messages
  for update to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));
create policy "owners read their own messages" on public.messages
  for select to authenticated
  using (owner_id = (select auth.uid()));

create trigger messages_check_time_zone before insert on public.messages
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();
create trigger messages_delete_photo after delete on public.messages
  for each row when (old.photo) execute function internal.take_down_message_photo();
create trigger messages_enqueue_contact_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_contact_notices();
create trigger messages_enqueue_notice after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.enqueue_message_notice();
create trigger messages_enqueue_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_message_notices();
create trigger messages_enqueue_pushes after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_message_pushes();
create trigger messages_enqueue_unseen_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_unseen_notices();
create trigger messages_keep_newest after insert on public.messages
  for each row execute function internal.keep_newest_messages();
create trigger messages_note_for_finder after insert on public.messages
  for each row execute function internal.note_message_for_finder();
create trigger messages_note_reply after insert on public.messages
  for each row when (new.sender = 'owner') execute function internal.note_reply();
create trigger messages_refuse_blocked after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.refuse_blocked_message();
create trigger messages_reopen_conversation after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.reopen_conversation();
create trigger messages_stamp_read_time before update of read_at on public.messages
  for each row when (new.read_at is not null) execute function internal.stamp_read_time();
create trigger realtime_capture after insert or delete or update on public.messages
  for each row execute function realtime.capture_change('id');

grant select, update (read_at) on public.messages to authenticated;

-- SHA-256 of the key that the return code and the private link of a conversation stand for. The service derives the key
-- with a secret that the database does not have (server/conversations/return-codes.ts); with another secret it is another
-- key, and the older one stays valid. Apart from the conversation, because neither the owner nor an export may have it.
create table internal.return_keys (
  key_hash bytea primary key,
  conversation_id uuid not null references public.conversations on delete cascade,
  created_at timestamptz not null default now()
);

create index return_keys_conversation on internal.return_keys (conversation_id, created_at desc);

-- The finders whom an owner blocked, in conversations that are deleted: a browser keeps its key.
create table internal.blocked_keys (
  owner_id uuid not null references auth.users on delete cascade,
  key_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (owner_id, key_hash)
);

comment on column internal.blocked_keys.key_hash is 'SHA-256 of a finder''s key.';

create index blocked_keys_created on internal.blocked_keys (created_at);

-- Keys of finders whose conversation about an item ended when it was given to its present owner: they learn why.
create table internal.moved_keys (
  item_id uuid not null references public.items on delete cascade,
  key_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (item_id, key_hash)
);

create index moved_keys_created on internal.moved_keys (created_at);

create table internal.finder_addresses (
  conversation_id uuid primary key references public.conversations on delete cascade,
  id uuid not null default gen_random_uuid() unique,
  address text not null check (char_length(address) between 3 and 254),
  qr_id text not null,
  language text not null check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  proved_at timestamptz,
  expires_at timestamptz not null,
  reply_id uuid,
  notified_at timestamptz
);

comment on table internal.finder_addresses is 'The email addresses of finders. Neither the owner nor an export may have them.';
comment on column internal.finder_addresses.id is 'Stands for the address in links, which end with it. Another address has another one.';
comment on column internal.finder_addresses.qr_id is 'The tag code of the page on which it was left: an item''s own code or a further one.';
comment on column internal.finder_addresses.expires_at is 'When it is deleted: a day after it was left, or 90 days after the latest message once it is proved.';
comment on column internal.finder_addresses.reply_id is 'The first reply since the finder has last looked; null where there is none.';
comment on column internal.finder_addresses.notified_at is 'When an email about these replies left.';

create index finder_addresses_expiry on internal.finder_addresses (expires_at);

create trigger finder_addresses_note_ending after delete on internal.finder_addresses
  for each row execute function internal.note_ending('id');

create table internal.reports (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  qr_id text not null,
  body text check (char_length(body) between 1 and 500),
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  repeats integer not null default 0,
  owner_then uuid references auth.users on delete set null,
  reported_by uuid references auth.users on delete cascade,
  conversation_id uuid references public.conversations on delete set null,
  taken_down_at timestamptz,
  constraint reports_kind_check check ( case when reported_by is null then kind in ('planted', 'abuse', 'wrong_item')
    else kind in ('harassment', 'fraud', 'spam', 'other') end)
);

comment on table internal.reports is 'What finders report about pages, and owners about finders, to the operator. Nothing says which finder reported a page.';
comment on column internal.reports.qr_id is 'The tag code of the page. The report stays when the item is deleted.';
comment on column internal.reports.repeats is 'How many further reports were counted here instead of being stored.';
comment on column internal.reports.owner_then is 'The account that the tag code belonged to when it was reported. Null once that account is deleted.';
comment on column internal.reports.reported_by is 'The owner who reports a finder. Null in a report of a page.';
comment on column internal.reports.conversation_id is 'The conversation with the finder who is reported. Null in a report of a page, and once the conversation is deleted.';
comment on column internal.reports.taken_down_at is 'When an operator took the page down. The codes that were voided with it have the same time.';

create index reports_closed on internal.reports (closed_at) where closed_at is not null;
create index reports_conversation on internal.reports (conversation_id) where conversation_id is not null;
create index reports_created on internal.reports (created_at desc);
create index reports_owner on internal.reports (owner_then) where owner_then is not null;
create index reports_reporter on internal.reports (reported_by) where reported_by is not null;
create index reports_tag on internal.reports (qr_id, created_at desc);

create trigger reports_enqueue_notice after insert on internal.reports
  for each row execute function internal.enqueue_report_notice();
