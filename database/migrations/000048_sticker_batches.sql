-- kind: compatible
-- An operator issues tag codes in batches, and each code knows its batch and its place in it.

create table public.sticker_batches (
  id uuid primary key default gen_random_uuid(),
  label text not null unique check (char_length(label) between 1 and 100),
  note text check (char_length(note) <= 500),
  issued_by text not null check (char_length(issued_by) between 1 and 100),
  size integer not null check (size > 0),
  recorded integer not null default 0 check (recorded between 0 and size),
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
alter table public.sticker_batches enable row level security;
alter table public.sticker_batches force row level security;
grant select, insert, update, delete on table public.sticker_batches to service_role;
create index sticker_batches_age on public.sticker_batches (created_at desc, id);
comment on table public.sticker_batches is 'Tag codes that an operator issued together. Only operators read it.';
comment on column public.sticker_batches.issued_by is 'Who ran the command, as the command line was told.';
comment on column public.sticker_batches.recorded is 'How many of its codes are recorded: those with the places below this number.';
comment on column public.sticker_batches.completed_at is 'When all codes were recorded and the first file with their stickers was whole.';

alter table public.qr_codes
  add column batch_id uuid references public.sticker_batches,
  add column batch_place integer check (batch_place >= 0),
  add constraint qr_codes_place_in_batch check ((batch_id is null) = (batch_place is null));
create unique index qr_codes_batch on public.qr_codes (batch_id, batch_place);
comment on column public.qr_codes.batch_place is 'Its place in the batch, from 0: the order in which its stickers are printed.';

-- Records codes as issued, from the first place of the batch that has none. Returns how many codes the batch has then.
-- Where another call has filled that place, nothing is recorded: a repeated call, or another process, is told how far
-- the batch is.
create function public.issue_codes(batch_id_param uuid, first_place integer, codes text[]) returns integer
  language plpgsql
  set search_path = ''
  as $$
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
$$;
grant execute on function public.issue_codes(uuid, integer, text[]) to service_role;

-- Batches belong to no account, and their entries name the batch.
create function internal.audit_sticker_batch() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  insert into auth.audit_log (event, by_operator, details)
    values ('codes_issued', true, jsonb_build_object('batch', new.id, 'size', new.size));
  return null;
end
$$;
create trigger sticker_batches_audit after insert on public.sticker_batches
  for each row execute function internal.audit_sticker_batch();
