-- The pages of the codes are dropped from the memory of every server, and the owners' audit logs get an entry.
create or replace function internal.announce_void_codes(event_param text, qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  -- A hundred codes have 6,499 characters at most, and a payload 7,999.
  perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
    select code.qr_id, (row_number() over () - 1) / 100 as payload
      from public.qr_codes as code where code.qr_id = any (qr_ids) and code.owner_id is not null
  ) as shown group by payload;
  insert into auth.audit_log (event, user_id, by_operator, details)
    select event_param, code.owner_id, true, jsonb_build_object('codes', count(*))
      from public.qr_codes as code where code.qr_id = any (qr_ids)
      group by code.owner_id;
  if event_param = 'codes_voided' then
    perform internal.enqueue_void_mail(owner_id, array_agg(qr_id order by qr_id))
      from public.qr_codes where qr_id = any (qr_ids) and owner_id is not null
      group by owner_id;
  end if;
end
$$;
