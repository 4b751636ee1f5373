-- Returns what became of it: `taken_down`, `void`, `finder`, `unclaimed`, `changed_hands`, or `unknown`.
create or replace function public.take_page_down(report_id_param uuid, reason_param text) returns text
  language plpgsql
  set search_path = ''
  as $$
declare
  report internal.reports;
  owner_now uuid;
  own_code text;
  qr_ids text[];
begin
  select * into report from internal.reports where id = report_id_param for update;
  if not found then
    return 'unknown';
  end if;
  if report.reported_by is not null then
    return 'finder';
  end if;
  own_code := internal.own_code_of_item(report.qr_id);
  -- In one order, as others lock several codes.
  perform from public.qr_codes where qr_id = own_code or stands_for = own_code order by qr_id for update;
  select owner_id into owner_now from public.qr_codes where qr_id = report.qr_id;
  if owner_now is null then
    return 'unclaimed';
  end if;
  -- The report is about the page of another account.
  if owner_now is distinct from report.owner_then then
    return 'changed_hands';
  end if;
  with voided as (
    -- A sticker may have been added since the page was taken down: then one time for all of them.
    update public.qr_codes set voided_at = coalesce(report.taken_down_at, now()), void_reason = reason_param
      where (qr_id = own_code or stands_for = own_code) and owner_id = owner_now and voided_at is null
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  if cardinality(qr_ids) = 0 then
    return 'void';
  end if;
  update internal.reports set taken_down_at = coalesce(taken_down_at, now()) where id = report.id;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return 'taken_down';
end
$$;
