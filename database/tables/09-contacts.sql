create table public.second_contacts (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users on delete cascade,
  email text check (char_length(email) <= 254 and email ~
    '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'),
  phone text check (phone ~ '^[+][1-9][0-9]{6,14}$'),
  for_all boolean not null default false,
  created_at timestamptz not null default now(),
  agreed_at timestamptz,
  left_at timestamptz,
  quiet_from time(0) without time zone,
  quiet_to time(0) without time zone,
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  constraint second_contacts_address check (num_nonnulls(email, phone) = 1),
  constraint second_contacts_quiet_hours check ((num_nulls(quiet_from, quiet_to, time_zone) = any (array[0, 3])) and
    quiet_from <> quiet_to and quiet_from < '24:00:00'::time and quiet_to < '24:00:00'::time)
);

comment on column public.second_contacts.for_all is 'Whether the contact is notified about all items; otherwise about those that are marked as lost.';
comment on column public.second_contacts.agreed_at is 'When the contact agreed. Before that, only the invitation is sent.';
comment on column public.second_contacts.left_at is 'When the contact left, or declined. Nothing is sent from then on.';
comment on column public.second_contacts.language is 'That of the page which the contact last used. BCP 47. The owner does not see it.';
comment on column public.second_contacts.quiet_from is 'The contact''s own choice, which the owner does not see.';

create index second_contacts_invited on public.second_contacts (created_at) where agreed_at is null;
create index second_contacts_left on public.second_contacts (left_at) where left_at is not null;
create unique index second_contacts_of_owner on public.second_contacts (owner_id, coalesce(email, phone));

create policy "owners change their own second contacts" on public.second_contacts
  for update to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));
create policy "owners read their own second contacts" on public.second_contacts
  for select to authenticated
  using (owner_id = (select auth.uid()));
-- One who left stays listed for a time, so that they are not invited again at once.
create policy "owners remove their own second contacts" on public.second_contacts
  for delete to authenticated
  using (owner_id = (select auth.uid()) and left_at is null);

create trigger second_contacts_audit after insert or delete or update on public.second_contacts
  for each row execute function internal.audit_second_contact();
create trigger second_contacts_check_time_zone before insert or update of time_zone on public.second_contacts
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();
create trigger second_contacts_enqueue_notices after update of agreed_at, for_all on public.second_contacts
  for each row when (new.agreed_at is not null and new.left_at is null and (old.agreed_at is null or new.for_all and not
    old.for_all))
  execute function internal.enqueue_notices_of_new_contact();
create trigger second_contacts_note_ending after delete on public.second_contacts
  for each row execute function internal.note_ending('id');
create trigger second_contacts_note_endings after update of left_at, for_all on public.second_contacts
  for each row execute function internal.note_ending('id', 'left_at', 'for_all');

grant select (id, owner_id, email, phone, for_all, created_at, agreed_at, left_at), update (for_all), delete on
  public.second_contacts to authenticated;

-- What opens a second contact's pages: that of the invitation, without a conversation, and one for each conversation.
create table internal.contact_links (
  token_hash bytea primary key,
  contact_id uuid not null references public.second_contacts on delete cascade,
  conversation_id uuid references public.conversations on delete cascade,
  notified_at timestamptz,
  constraint contact_links_contact_id_conversation_id_key unique NULLS not DISTINCT (contact_id, conversation_id)
);

comment on column internal.contact_links.token_hash is 'SHA-256 of the token in the link.';
comment on column internal.contact_links.notified_at is 'When the contact was last notified of the conversation.';

create index contact_links_conversation on internal.contact_links (conversation_id);
