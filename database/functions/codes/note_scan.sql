-- Notes that the sticker of a claimed code was scanned, once for each code. Returns whether this was the first scan of a
-- code of the caller's: nothing that another's code would reveal. A repeated scan writes nothing, so it also succeeds where
-- the database only reads.
create or replace function public.note_scan(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  owner uuid;
begin
  if not exists (
    select from public.qr_codes
      where qr_id = qr_id_param and owner_id is not null and voided_at is null and not was_scanned
  ) then
    return false;
  end if;
  update public.qr_codes set was_scanned = true
    where qr_id = qr_id_param and owner_id is not null and voided_at is null and not was_scanned
    returning owner_id into owner;
  return coalesce(owner = (select auth.uid()), false);
end
$$;

grant execute on function public.note_scan(text) to anon, authenticated;
