-- For operators: makes up to 1,000 further codes of a batch, and completes it with the last one. Returns how many it has
-- then. Errors: PT404 no such batch, PT409 the batch is void.
create or replace function public.fill_batch(batch_id_param uuid) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  made integer;
begin
  perform internal.require_operator();
  select * into batch from public.sticker_batches where id = batch_id_param for update;
  made := public.issue_codes(batch_id_param, batch.recorded, array(
    select internal.new_tag_code() from generate_series(1, least(1000, batch.size - batch.recorded))
  ));
  update public.sticker_batches set completed_at = coalesce(completed_at, now())
    where id = batch_id_param and recorded = batch.size;
  return made;
end
$$;

grant execute on function public.fill_batch(uuid) to authenticated;
