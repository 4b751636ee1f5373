-- For operators: the newest 200 batches of stickers, and how many codes of each are claimed and void.
create or replace function public.look_at_batches() returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'batches');
  return (
    select coalesce(jsonb_agg(to_jsonb(batch) || jsonb_build_object(
        'claimed', (select count(*) from public.qr_codes where batch_id = batch.id and owner_id is not null),
        'void', (select count(*) from public.qr_codes where batch_id = batch.id and voided_at is not null)
      ) order by batch.created_at desc, batch.id), '[]')
      from (select * from public.sticker_batches order by created_at desc, id limit 200) as batch
  );
end
$$;

grant execute on function public.look_at_batches() to authenticated;
