-- Deleting an item frees its codes: an issued one can be claimed again, a self-made one is forgotten.
create or replace function internal.free_code_of_deleted_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.free_codes(array(select qr_id from public.qr_codes where stands_for = old.qr_id) || old.qr_id);
  return null;
end
$$;
