-- For operators: begins a batch, whose codes `fill_batch` makes. Returns its id. One with this label that is not
-- complete, and of the same size, is continued. Errors: 22023 no such size, 23505 the label is taken.
create or replace function public.make_batch(label_param text, size_param integer, note_param text default null)
  returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_codes constant integer := 50000;
  batch uuid;
begin
  perform internal.require_operator();
  if size_param is null or size_param not between 1 and most_codes then
    raise exception 'A batch has 1 to % codes', most_codes using errcode = '22023';
  end if;
  select id into batch from public.sticker_batches
    where label = btrim(label_param) and size = size_param and recorded < size and voided_at is null;
  if not found then
    insert into public.sticker_batches (label, size, note, issued_by)
      values (btrim(label_param), size_param, nullif(btrim(note_param), ''), coalesce((
        select left(nullif(btrim(full_name), ''), 100) from public.profiles where id = (select auth.uid())
      ), 'operator'))
      returning id into batch;
  end if;
  perform internal.note_operator('operator_acted', 'make_batch');
  return batch;
end
$$;

grant execute on function public.make_batch(text, integer, text) to authenticated;
