-- When the quiet hours end that a moment lies in, or null where it lies in none or there are none.
create or replace function internal.end_of_quiet_hours(quiet_from time, quiet_to time, time_zone text, at timestamptz)
  returns timestamptz
  language sql stable strict
  set search_path = ''
  as $$
    select case
        when quiet_from < quiet_to and clock >= quiet_from and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock >= quiet_from then (day + 1 + quiet_to) at time zone time_zone
      end
      from (select (at at time zone time_zone)::date as day, (at at time zone time_zone)::time as clock) as local
  $$;
