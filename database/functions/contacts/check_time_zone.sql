create or replace function internal.check_time_zone() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  -- Fails for a time zone that PostgreSQL does not know (22023).
  perform now() at time zone new.time_zone;
  return new;
end
$$;
