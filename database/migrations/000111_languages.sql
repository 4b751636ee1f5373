-- kind: compatible
-- The language in which owners and second contacts are written to.
alter table public.profiles add column language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$');
comment on column public.profiles.language is 'In which the account is written to; null for that of the installation. BCP 47.';
grant update (language) on public.profiles to authenticated;

alter table public.second_contacts add column language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$');
comment on column public.second_contacts.language is 'That of the page which the contact last used. BCP 47. The owner does not see it.';

alter table internal.finder_addresses
  add constraint finder_addresses_language_check check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$');
