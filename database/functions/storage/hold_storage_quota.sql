-- How much one account may keep. The server sets it in bytes; without a setting it is 100 MiB. What strangers send uses
-- up nothing of the owner's room: it has limits of its own.
create or replace function internal.hold_storage_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  most_objects constant integer := 1000;
  most_bytes bigint := coalesce(nullif(current_setting('reunite.account_storage_bytes', true), ''), '104857600');
  objects integer;
  bytes bigint;
begin
  -- Of two uploads at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('storage of ' || new.owner, 0));
  select count(*), sum(coalesce((object.metadata ->> 'size')::bigint, 0) + (
      select coalesce(sum((rendition ->> 'size')::bigint), 0) from jsonb_array_elements(object.renditions) as rendition
    ))
    into objects, bytes
    from storage.objects as object where object.owner = new.owner and object.bucket_id <> 'message-photos';
  if objects > most_objects or bytes > most_bytes then
    raise exception 'The account has no room left for this' using errcode = 'PT413';
  end if;
  return null;
end
$$;
