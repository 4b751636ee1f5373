-- Voids the codes of a batch, and the batch itself: no more codes are issued in it. Codes that belong to accounts stay
-- as they are unless `claimed_too`. Returns how many were voided, and how many of accounts were not. A batch that is
-- voided again has the latest reason. Its time stays the first one, by which `restore_batch` finds the codes that were
-- voided with it.
create or replace function public.void_batch(batch_id_param uuid, reason_param text, claimed_too boolean default false)
  returns jsonb
  language plpgsql
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  update public.sticker_batches
    set voided_at = coalesce(voided_at, now()), void_reason = reason_param
    where id = batch_id_param returning * into batch;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with voided as (
    update public.qr_codes set voided_at = batch.voided_at, void_reason = batch.void_reason
      where batch_id = batch.id and voided_at is null and (owner_id is null or claimed_too)
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return jsonb_build_object(
    'voided', cardinality(qr_ids),
    'claimed', (select count(*) from public.qr_codes where batch_id = batch.id and voided_at is null)
  );
end
$$;
