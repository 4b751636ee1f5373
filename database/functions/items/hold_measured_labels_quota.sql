-- An account has 20.
create or replace function internal.hold_measured_labels_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_labels constant integer := 20;
  caller uuid := auth.uid();
begin
  if caller is null or not exists (select from added where user_id = caller) then
    return null;
  end if;
  -- Of two inserts at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('measured labels of ' || caller, 0));
  if (select count(*) from public.measured_labels where user_id = caller) > most_labels then
    raise exception 'An account has at most % measured labels', most_labels using errcode = 'PT413';
  end if;
  return null;
end
$$;
