-- Holds the batches of these codes against being voided or restored until the transaction ends. A code that loses its
-- owner needs it before the code is locked, because `void_batch` locks the batch first.
create or replace function internal.hold_batches(qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform from public.sticker_batches
    where id = any (array(select batch_id from public.qr_codes where qr_id = any (qr_ids)))
    order by id for share;
end
$$;
