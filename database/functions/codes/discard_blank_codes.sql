-- Frees codes of the caller's that have no item, such as those of a sheet that was lost. All others stay as they are.
create or replace function public.discard_blank_codes(qr_ids_param text[])
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  blank_codes text[];
begin
  if cardinality(qr_ids_param) > 100 then
    raise exception 'At most 100 codes are discarded at once' using errcode = '22023';
  end if;
  perform internal.hold_batches(array(
    select qr_id from public.qr_codes where qr_id = any (qr_ids_param) and owner_id = (select auth.uid())
  ));
  -- In one order. Who tags or attaches one of them in this moment comes first or second.
  perform from public.qr_codes
    where qr_id = any (qr_ids_param) and owner_id = (select auth.uid()) order by qr_id for update;
  blank_codes := array(
    select blank ->> 'qr_id' from jsonb_array_elements(public.list_blank_codes()) as blank
      where blank ->> 'qr_id' = any (qr_ids_param)
  );
  if blank_codes = '{}' then
    return;
  end if;
  perform internal.make_lasting_change('blank_codes_discarded', (select auth.uid()));
  perform internal.free_codes(blank_codes);
end
$$;

grant execute on function public.discard_blank_codes(text[]) to authenticated;
