create or replace function internal.announce_development_outbox() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.pg_notify('development_outbox', new.id::text);
  return null;
end
$$;
