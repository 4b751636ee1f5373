-- kind: compatible
-- Owners read that emails do not reach them.
alter table public.profiles add column email_refused_at timestamptz;
comment on column public.profiles.email_refused_at is 'When the mail server of the address last refused it for good; null once it takes an email.';
