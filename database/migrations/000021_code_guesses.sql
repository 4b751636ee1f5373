-- kind: compatible
-- Guesses at one-time codes: those of the browser that asked and of known devices are counted apart from those of
-- strangers, and after many failures in a row codes are off for strangers.

alter table auth.one_time_tokens
  -- Guesses by the browser that asked for the code, or by a device where the account has signed in before.
  add column own_attempts integer not null default 0;
comment on column auth.one_time_tokens.attempts is
  'Guesses at the code by strangers. They do not touch the link, which nobody can guess.';

-- Wrong codes in a row, of all kinds together, by strangers. A proof of any kind sets it back.
create table auth.code_failures (
  user_id uuid primary key references auth.users on delete cascade,
  in_a_row integer not null check (in_a_row > 0)
);
alter table auth.code_failures enable row level security;
alter table auth.code_failures force row level security;
grant select, insert, update, delete on auth.code_failures to service_role;
