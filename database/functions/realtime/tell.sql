-- NOTIFY of a message of any size. Over 7,900 bytes it goes in parts, `id#part/parts#base64`, which PostgreSQL delivers
-- one after the other, since they are of one transaction. A message starts with `{`, so it can't be taken for a part.
-- Two equal messages of one transaction would be delivered once: each must be different.
create or replace function realtime.tell(channel text, message text) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  part_bytes constant integer := 5700;
  bytes bytea := pg_catalog.convert_to(message, 'UTF8');
  parts integer := (pg_catalog.octet_length(bytes) + part_bytes - 1) / part_bytes;
  id uuid := pg_catalog.gen_random_uuid();
begin
  if pg_catalog.octet_length(bytes) < 7900 then
    perform pg_catalog.pg_notify(channel, message);
    return;
  end if;
  for part in 0..parts - 1 loop
    perform pg_catalog.pg_notify(channel, pg_catalog.format('%s#%s/%s#%s', id, part + 1, parts,
      pg_catalog.encode(pg_catalog.substr(bytes, part * part_bytes + 1, part_bytes), 'base64')));
  end loop;
end
$$;
