-- Returns whether it was down. Codes that were void before stay void.
create or replace function public.put_page_back(report_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  report internal.reports;
  own_code text;
  qr_ids text[];
begin
  select * into report from internal.reports where id = report_id_param for update;
  if report.taken_down_at is null then
    return false;
  end if;
  own_code := internal.own_code_of_item(report.qr_id);
  perform from public.qr_codes where qr_id = own_code or stands_for = own_code order by qr_id for update;
  with restored as (
    update public.qr_codes set voided_at = null, void_reason = null
      where (qr_id = own_code or stands_for = own_code) and voided_at = report.taken_down_at
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from restored;
  update internal.reports set taken_down_at = null where id = report.id;
  perform internal.announce_void_codes('codes_restored', qr_ids);
  -- As `restore_code` does: a code that was never issued and has lost its owner is forgotten.
  delete from public.qr_codes where qr_id = any (qr_ids) and owner_id is null and issued_at is null;
  return cardinality(qr_ids) > 0;
end
$$;
