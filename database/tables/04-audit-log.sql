-- What happened to accounts. It outlives them, so the account is named by its id alone, and nothing here says who
-- that is: no address, no name, no secret.
create table auth.audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  event text not null,
  user_id uuid,
  session_id uuid,
  -- Of something that happens often and tells little each time: how often within the hour that began at `at`.
  times integer not null default 1 check (times > 0),
  -- Whether it was done through the admin API.
  by_operator boolean not null default (coalesce(current_setting('reunite.by_operator', true), '') = 'on'),
  details jsonb not null default '{}'::jsonb
);

create index audit_log_at on auth.audit_log (at);
create unique index audit_log_failures on auth.audit_log (event, coalesce(user_id,
  '00000000-0000-0000-0000-000000000000'::uuid), at) where event in ('sign_in_failed', 'second_factor_failed',
  'recovery_code_failed');
create index audit_log_user on auth.audit_log (user_id, at desc);

grant select, insert, update (times), delete on auth.audit_log to service_role;
