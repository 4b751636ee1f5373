-- Takes the codes from their owner. Those that the service issued are free, and it forgets the others. A void code
-- stays void, with no owner. Batches are locked before codes, as in `void_batch`.
create or replace function internal.free_codes(qr_ids text[])
  returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform internal.hold_batches(qr_ids);
  update public.qr_codes set owner_id = null, claimed_at = null, stands_for = null, was_scanned = false where qr_id = any (qr_ids);
  delete from public.qr_codes where qr_id = any (qr_ids) and issued_at is null and voided_at is null;
end
$$;
