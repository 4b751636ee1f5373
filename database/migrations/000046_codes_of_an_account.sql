-- kind: breaking
-- Bounds the codes of an account, and announces a change of its profile in few notifications, each with many codes.

-- As before, for a caller with room for another code: twice as many as items, so that an account whose items are full can
-- still claim codes. Codes with an item count too, and deleting an item frees its code.
create or replace function public.register_qr_code(qr_id_param text, user_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
begin
  if user_id_param is distinct from (select auth.uid()) then
    raise exception 'A code can be registered only for the account that asks' using errcode = '42501';
  end if;
  perform internal.claim_code(qr_id_param, user_id_param);
  -- Of two claims at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || user_id_param, 0));
  if exists (select from public.qr_codes where owner_id = user_id_param offset 2 * most limit 1) then
    raise exception 'The account has no room left for another code' using errcode = 'PT413';
  end if;
end
$$;

-- As before, with the codes of an account in few payloads: a commit that notifies holds a lock of the whole cluster, and
-- every server reads each payload.
create or replace function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name in ('items', 'qr_codes') then
    perform pg_notify('item_changed', coalesce(new.qr_id, old.qr_id));
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    -- A hundred codes have 6,499 characters at most, and a payload 7,999.
    perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
      select qr_id, (row_number() over () - 1) / 100 as payload from (
        select qr_id from public.items where user_id = coalesce(new.id, old.id)
        union
        select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
      ) as code
    ) as shown group by payload;
  end if;
  return null;
end
$$;

-- Only what find_item shows: a profile that is written as it was announces nothing.
drop trigger profiles_announce on public.profiles;
create trigger profiles_announce after update on public.profiles for each row
  when (
    (old.full_name, old.email, old.phone, old.whatsapp_enabled, old.call_enabled, old.email_enabled, old.message_enabled)
    is distinct from
    (new.full_name, new.email, new.phone, new.whatsapp_enabled, new.call_enabled, new.email_enabled, new.message_enabled)
  )
  execute function internal.announce_item_change();
create trigger profiles_announce_removed after delete on public.profiles for each row
  execute function internal.announce_item_change();
