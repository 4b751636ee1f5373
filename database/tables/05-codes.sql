create table public.sticker_batches (
  id uuid primary key default gen_random_uuid(),
  label text not null unique check (char_length(label) between 1 and 100),
  note text check (char_length(note) <= 500),
  issued_by text not null check (char_length(issued_by) between 1 and 100),
  size integer not null check (size > 0),
  recorded integer not null default 0,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  voided_at timestamptz,
  void_reason text check (char_length(void_reason) between 1 and 200),
  constraint sticker_batches_check check (recorded between 0 and size),
  constraint sticker_batches_void check ((voided_at is null) = (void_reason is null))
);

comment on table public.sticker_batches is 'Tag codes that an operator issued together. Only operators read it.';
comment on column public.sticker_batches.issued_by is 'Who ran the command, as the command line was told.';
comment on column public.sticker_batches.recorded is 'How many of its codes are recorded: those with the places below this number.';
comment on column public.sticker_batches.completed_at is 'When all codes were recorded and the first file with their stickers was whole.';

create index sticker_batches_age on public.sticker_batches (created_at desc, id);

create trigger sticker_batches_audit after insert on public.sticker_batches
  for each row execute function internal.audit_sticker_batch();
create trigger sticker_batches_note_endings after update of voided_at on public.sticker_batches
  for each row execute function internal.note_ending('id', 'voided_at');

create table public.qr_codes (
  -- 'new-item' is the word in a link for tagging something whose code is yet to be made.
  qr_id text primary key check (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item'),
  owner_id uuid references auth.users on delete set null,
  -- Null for a code that its owner brought along and the service never issued.
  issued_at timestamptz,
  claimed_at timestamptz,
  batch_id uuid references public.sticker_batches,
  batch_place integer check (batch_place >= 0),
  stands_for text references public.qr_codes (qr_id) on delete set null,
  voided_at timestamptz,
  void_reason text check (char_length(void_reason) between 1 and 200),
  request_id uuid,
  was_scanned boolean not null default false,
  constraint qr_codes_place_in_batch check ((batch_id is null) = (batch_place is null)),
  constraint qr_codes_stands_for_another check (stands_for <> qr_id),
  constraint qr_codes_void check ((voided_at is null) = (void_reason is null))
);

comment on column public.qr_codes.batch_place is 'Its place in the batch, from 0: the order in which its stickers are printed.';
comment on column public.qr_codes.stands_for is 'For a further code of an item: the item''s own code. Null for that code.';
comment on column public.qr_codes.void_reason is 'Why an operator voided the code. Its owner reads it.';
comment on column public.qr_codes.request_id is 'For a code that was made for its owner: their request that made it, so that a repeated one is recognized.';
comment on column public.qr_codes.was_scanned is 'Whether its sticker is known to exist: it was scanned, or came from a printed batch. Not when: that would tell of a finder.';

create unique index qr_codes_batch on public.qr_codes (batch_id, batch_place) where batch_id is not null;
create index qr_codes_owner on public.qr_codes (owner_id);
create index qr_codes_stands_for on public.qr_codes (stands_for) where stands_for is not null;
create index qr_codes_voided on public.qr_codes (qr_id) where voided_at is not null;

create policy "owners read their own codes" on public.qr_codes
  for select to authenticated
  using (owner_id = (select auth.uid()));

create trigger qr_codes_announce after update of owner_id, stands_for on public.qr_codes
  for each row when (old.owner_id is not null and new.owner_id is distinct from old.owner_id or new.stands_for is
    distinct from old.stands_for)
  execute function internal.announce_item_change();
create trigger qr_codes_check_further before insert or update of stands_for, owner_id on public.qr_codes
  for each row when (new.stands_for is not null) execute function internal.check_further_code();
create trigger qr_codes_give_typed_code after insert on public.qr_codes
  for each row execute function internal.give_typed_code();
create trigger qr_codes_note_endings after update of voided_at on public.qr_codes
  for each row execute function internal.note_ending('qr_id', 'voided_at');
create trigger qr_codes_void_freed before update of owner_id on public.qr_codes
  for each row when (old.owner_id is not null and new.owner_id is null and new.batch_id is not null and new.voided_at is
    null)
  execute function internal.void_freed_code();

grant select on public.qr_codes to authenticated;

create table internal.typed_codes (
  typed_code text collate "C" primary key,
  qr_id text not null unique references public.qr_codes (qr_id) on delete cascade
);

comment on table internal.typed_codes is 'The tag code that a typed code leads to. Removed with its tag code.';

grant select, insert, delete on internal.typed_codes to service_role;

-- Codes from before there were typed codes get theirs in batches, by a job (server/jobs/upkeep/give-typed-codes.ts). The row says how
-- far it has come, and is gone once all codes have one.
create table internal.typed_code_progress (
  after text primary key
);

grant select, update, delete on internal.typed_code_progress to service_role;

create table public.measured_labels (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  name text not null check (char_length(name) between 1 and 40 and name ~ '^[^[:cntrl:]]+$' and name = btrim(name)),
  page text not null check (page in ('a4', 'letter', 'label')),
  label_width numeric(4,1) not null check (label_width between 15 and 297),
  label_height numeric(4,1) not null check (label_height between 15 and 297),
  columns integer not null check (columns between 1 and 14),
  rows integer not null check (rows between 1 and 19),
  margin_left numeric(4,1) not null check (margin_left between 0 and 100),
  margin_top numeric(4,1) not null check (margin_top between 0 and 100),
  gap_x numeric(4,1) not null check (gap_x between 0 and 50),
  gap_y numeric(4,1) not null check (gap_y between 0 and 50),
  created_at timestamptz not null default now(),
  shape text not null default 'rectangle' check (shape in ('rectangle', 'round')),
  unique (user_id, name),
  constraint measured_labels_roll_check check (page <> 'label' or columns = 1 and rows = 1 and margin_left = 0 and
    margin_top = 0 and gap_x = 0 and gap_y = 0),
  constraint measured_labels_round_check check (shape <> 'round' or label_width = label_height)
);

comment on table public.measured_labels is 'Sheets of labels that owners measured with a ruler. Lengths are in millimeters.';
comment on column public.measured_labels.page is 'The paper; ''label'' for a roll, whose page is one label.';
comment on column public.measured_labels.margin_left is 'From the left edge of the paper to the first label.';
comment on column public.measured_labels.margin_top is 'From the upper edge of the paper to the first label.';
comment on column public.measured_labels.gap_x is 'Between two labels side by side.';
comment on column public.measured_labels.gap_y is 'Between two labels below each other.';

create policy "owners change their own measured labels" on public.measured_labels
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "owners delete their own measured labels" on public.measured_labels
  for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "owners read their own measured labels" on public.measured_labels
  for select to authenticated
  using (user_id = (select auth.uid()));
create policy "owners save their own measured labels" on public.measured_labels
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create trigger measured_labels_hold_quota after insert on public.measured_labels referencing new table as added
  for each statement execute function internal.hold_measured_labels_quota();

grant select, insert, update (name, page, label_width, label_height, columns, rows, margin_left, margin_top, gap_x,
  gap_y, shape), delete on public.measured_labels to authenticated;
