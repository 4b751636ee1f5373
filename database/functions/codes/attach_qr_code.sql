-- Puts a sticker on an item of the caller's that has one already: claims its code, which leads to the item from then
-- on. Not on the record of an item that was given away. Repeating it changes nothing.
create or replace function public.attach_qr_code(qr_id_param text, item_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_codes constant integer := 20;
  item public.items;
begin
  -- Of two stickers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = (select auth.uid()) and given_at is null for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  -- Takes the row lock of the code, which a tagger at the same time waits for.
  perform public.register_qr_code(qr_id_param, item.user_id);
  if internal.own_code_of_item(qr_id_param) = item.qr_id then
    return;
  end if;
  if exists (select from public.items where qr_id = internal.own_code_of_item(qr_id_param)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  perform internal.make_lasting_change('sticker_attached', item.user_id);
  -- Owners attach a sticker that they hold.
  update public.qr_codes set stands_for = item.qr_id, was_scanned = true where qr_id = qr_id_param;
  if exists (select from public.qr_codes where stands_for = item.qr_id offset most_codes - 1 limit 1) then
    raise exception 'The item has no room left for another sticker' using errcode = 'PT409';
  end if;
end
$$;

grant execute on function public.attach_qr_code(text, uuid) to authenticated;
