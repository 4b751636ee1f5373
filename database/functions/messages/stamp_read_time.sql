-- The finder reads it, so it is the server's time, whatever the clock of the owner's device says.
create or replace function internal.stamp_read_time() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.read_at := coalesce(old.read_at, now());
  return new;
end
$$;
