-- Every server drops its finished page of a code when what that page shows has changed.
create or replace function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name = 'items' then
    if coalesce(old.qr_id, new.qr_id) is not null then
      perform pg_notify('item_changed', concat_ws(' ', old.qr_id, nullif(new.qr_id, old.qr_id), (
        select string_agg(qr_id, ' ') from public.qr_codes where stands_for in (old.qr_id, new.qr_id)
      )));
    end if;
  elsif tg_table_name = 'qr_codes' then
    perform pg_notify('item_changed', new.qr_id);
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    -- A hundred codes have 6,499 characters at most, and a payload 7,999.
    perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
      select qr_id, (row_number() over () - 1) / 100 as payload from (
        select qr_id from public.items where user_id = coalesce(new.id, old.id) and qr_id is not null
        union
        select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
      ) as code
    ) as shown group by payload;
  end if;
  return null;
end
$$;
