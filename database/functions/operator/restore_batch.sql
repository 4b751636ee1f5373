-- Undoes `void_batch`. Returns how many codes work again; those that were voided one by one stay void.
create or replace function public.restore_batch(batch_id_param uuid) returns integer
  language plpgsql
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with restored as (
    update public.qr_codes set voided_at = null, void_reason = null
      where batch_id = batch.id and voided_at = batch.voided_at
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from restored;
  update public.sticker_batches set voided_at = null, void_reason = null where id = batch.id;
  perform internal.announce_void_codes('codes_restored', qr_ids);
  return cardinality(qr_ids);
end
$$;
