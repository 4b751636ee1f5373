create or replace function internal.keep_newest_openings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_openings constant integer := 1000;
  most_at_once constant integer := 10;
begin
  -- What another transaction deletes is passed over.
  delete from public.channel_openings where id in (
    select id from public.channel_openings where item_id = new.item_id
      order by opened_at desc offset most_openings limit most_at_once for update skip locked
  );
  return null;
end
$$;
