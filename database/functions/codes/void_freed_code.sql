-- The batch is read under a lock, so that of a batch that is voided and a code that loses its owner at once, the second
-- sees the first.
create or replace function internal.void_freed_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
begin
  select * into batch from public.sticker_batches where id = new.batch_id for share;
  if batch.voided_at is not null then
    new.voided_at := batch.voided_at;
    new.void_reason := batch.void_reason;
  end if;
  return new;
end
$$;
