create table public.item_offers (
  id uuid primary key default gen_random_uuid(),
  giver_id uuid not null references auth.users on delete cascade,
  item_id uuid not null references public.items on delete cascade,
  email text check (char_length(email) <= 254 and email ~
    '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '14 days'),
  declined_at timestamptz,
  accepted_at timestamptz,
  received_id uuid references public.items on delete set null,
  constraint item_offers_address_until_acceptance check (email is not null or accepted_at is not null),
  constraint item_offers_one_end check (num_nonnulls(declined_at, accepted_at) <= 1),
  constraint item_offers_received_with_acceptance check (received_id is null or accepted_at is not null)
);

comment on table public.item_offers is 'Items that are offered to the reader of an address.';
comment on column public.item_offers.item_id is 'The item of the giver; after the acceptance, their record of it.';
comment on column public.item_offers.email is 'The address that accepts it, in the form in which auth.users has it. Null once its account is deleted.';
comment on column public.item_offers.received_id is 'After the acceptance, the item of the new owner.';

create index item_offers_email on public.item_offers (email);
create index item_offers_expires on public.item_offers (expires_at);
create index item_offers_giver on public.item_offers (giver_id);
create index item_offers_item on public.item_offers (item_id);
create unique index item_offers_pending on public.item_offers (item_id) where accepted_at is null;
create index item_offers_received on public.item_offers (received_id) where received_id is not null;

create policy "owners cancel their own offers" on public.item_offers
  for delete to authenticated
  using (giver_id = (select auth.uid()) and accepted_at is null);
create policy "owners read their own offers" on public.item_offers
  for select to authenticated
  using (giver_id = (select auth.uid()));

create trigger item_offers_note_ending after delete on public.item_offers
  for each row execute function internal.note_ending('id');

grant select (id, giver_id, item_id, email, created_at, expires_at, declined_at, accepted_at), delete on
  public.item_offers to authenticated;
