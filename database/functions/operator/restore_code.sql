-- Undoes `void_code`. Returns whether the code was void. One that was never issued and has lost its owner is forgotten,
-- as if it had never been void.
create or replace function public.restore_code(qr_id_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.qr_codes set voided_at = null, void_reason = null
    where qr_id = qr_id_param and voided_at is not null;
  if not found then
    return false;
  end if;
  perform internal.announce_void_codes('codes_restored', array[qr_id_param]);
  delete from public.qr_codes where qr_id = qr_id_param and owner_id is null and issued_at is null;
  return true;
end
$$;
