-- Records codes as issued, from the first place of the batch that has none. Returns how many codes the batch has then.
-- Where another call has filled that place, nothing is recorded: a repeated call, or another process, is told how far
-- the batch is. A void batch gets no more codes.
create or replace function public.issue_codes(batch_id_param uuid, first_place integer, codes text[]) returns integer
  language plpgsql
  set search_path = ''
  as $$
declare
  most_codes constant integer := 1000;
  batch public.sticker_batches;
begin
  if cardinality(codes) > most_codes then
    raise exception 'At most % codes are issued at once', most_codes using errcode = '22023';
  end if;
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  if batch.voided_at is not null then
    raise exception 'The batch is void' using errcode = 'PT409';
  end if;
  if first_place is distinct from batch.recorded then
    return batch.recorded;
  end if;
  insert into public.qr_codes (qr_id, issued_at, batch_id, batch_place)
    select code, now(), batch.id, batch.recorded + place - 1
      from unnest(codes) with ordinality as given (code, place)
      where place <= batch.size - batch.recorded;
  update public.sticker_batches set recorded = least(recorded + coalesce(cardinality(codes), 0), size)
    where id = batch.id returning recorded into batch.recorded;
  return batch.recorded;
end
$$;
