-- kind: compatible
-- Desks at which finders hand things in, and which of them a message names.
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
  latitude numeric(7,5) check (latitude between -90 and 90),
  longitude numeric(8,5) check (longitude between -180 and 180),
  position integer not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint desks_location_check check (num_nulls(latitude, longitude) <> 1),
  constraint desks_week_check check (week::text ~
    '^\[\[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\](, \[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\]){6}\]$'),
  constraint desks_days_check check (char_length(days::text) <= 20000 and days::text ~
    '^\{((, )?"2\d{3}-\d\d-\d\d": \[((, )?\["([01]\d|2[0-3]):[0-5]\d", "([01]\d|2[0-3]):[0-5]\d"\]){0,4}\])*\}$')
);
alter table public.desks enable row level security;
alter table public.desks force row level security;

comment on column public.desks.week is 'Opening hours from Monday to Sunday: of each day, lists of two times. One that is not later than the first is on the next day.';
comment on column public.desks.days is 'Days with other hours, none on a holiday.';
comment on column public.desks.languages is 'Spoken there. BCP 47.';

create policy "anyone reads desks that are there" on public.desks
  for select to anon, authenticated
  using (removed_at is null);

create trigger desks_check_time_zone before insert or update on public.desks
  for each row execute function internal.check_time_zone();

grant select on public.desks to anon, authenticated;
grant select, insert, update, delete on public.desks to service_role;

alter table public.messages add column desk_id uuid references public.desks on delete set null;
comment on column public.messages.desk_id is 'The desk at which the item was handed in, where it is one of the operator''s.';
create index messages_desk on public.messages (desk_id) where desk_id is not null;
