-- kind: compatible
-- A breaker for each range of phone numbers: whether the codes that went there by SMS came back.

-- All numbers that differ in their last four digits. One row for each range that was sent a code lately, of a bounded
-- size: the newest codes, oldest first, and which of them were typed.
create table auth.sms_ranges (
  -- E.164 without the last four digits.
  number_range text primary key check (number_range ~ '^\+[0-9]{1,11}$'),
  sent_at timestamptz[] not null default '{}',
  came_back boolean[] not null default '{}' check (cardinality(came_back) = cardinality(sent_at)),
  -- Since when SMS are held back; what was sent since are trials.
  open_since timestamptz,
  last_sent_at timestamptz not null default now()
);
create index sms_ranges_last_sent on auth.sms_ranges (last_sent_at);
create index sms_ranges_open on auth.sms_ranges (open_since) where open_since is not null;
comment on table auth.sms_ranges is 'Codes that went by SMS to numbers that no account had proved, for each range of numbers.';

alter table auth.sms_ranges enable row level security;
alter table auth.sms_ranges force row level security;
grant select, insert, update, delete on auth.sms_ranges to service_role;

-- Which countries the numbers are of, for the operator at each start.
create index mfa_factors_phone on auth.mfa_factors (phone) where status = 'verified';

-- The ranges whose SMS are held back, the longest first, for the operator.
create function public.list_open_sms_ranges() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(
        jsonb_build_object(
          'number_range', open_range.number_range, 'open_since', open_range.open_since,
          'trials', cardinality(open_range.sent_at),
          'came_back', cardinality(array_positions(open_range.came_back, true))
        ) order by open_range.open_since
      ), '[]')
      from (
        select * from auth.sms_ranges where open_since is not null order by open_since limit 1000
      ) as open_range
  $$;
grant execute on function public.list_open_sms_ranges() to service_role;
