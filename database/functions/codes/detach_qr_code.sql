-- Takes a sticker from an item of the caller's: its code is free. Without the item's own code, the item gets the
-- further code that works and that it has had for the longest time. The last sticker stays until the item is deleted.
create or replace function public.detach_qr_code(qr_id_param text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  item public.items;
  further_codes text[];
begin
  select * into item from public.items
    where id = (select id from public.items where qr_id = internal.own_code_of_item(qr_id_param))
      and user_id = (select auth.uid())
    for update;
  -- Asked again, because another call may have changed the item's codes before this one had the lock.
  if not found or internal.own_code_of_item(qr_id_param) <> item.qr_id then
    raise exception 'No item of yours has this code' using errcode = 'PT404';
  end if;
  -- Before the item's other codes, which may be of the same batch.
  perform internal.hold_batches(array[qr_id_param]);
  if item.qr_id = qr_id_param then
    further_codes := array(
      select qr_id from public.qr_codes where stands_for = item.qr_id order by voided_at is not null, claimed_at, qr_id
    );
    if further_codes = '{}' then
      raise exception 'An item keeps its only code' using errcode = 'PT409';
    end if;
    update public.qr_codes set stands_for = null where qr_id = any (further_codes);
    update public.items set qr_id = further_codes[1] where id = item.id;
    update public.qr_codes set stands_for = further_codes[1] where qr_id = any (further_codes[2:]);
  end if;
  perform internal.free_codes(array[qr_id_param]);
  perform internal.make_lasting_change('sticker_detached', item.user_id);
end
$$;

grant execute on function public.detach_qr_code(text) to authenticated;
