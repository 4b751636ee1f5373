-- Who holds a code: the caller's own id for the caller's own code, for another account's a reference that is different
-- for every code and leads nowhere, and null for an unclaimed code and for another account's void one.
create or replace function public.get_qr_code_owner(qr_id_param text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  holder uuid;
  is_void boolean;
begin
  perform internal.require_look_up(qr_id_param);
  select owner_id, voided_at is not null into holder, is_void from public.qr_codes where qr_id = qr_id_param;
  if holder = (select auth.uid()) then
    return holder;
  end if;
  if holder is null or is_void then
    perform internal.note_look_up('miss', qr_id_param);
    return null;
  end if;
  return left(encode(sha256(convert_to(
    (select value from internal.secrets where name = 'owner_reference') || ':' || qr_id_param || ':' || holder, 'UTF8'
  )), 'hex'), 32)::uuid;
end
$$;

grant execute on function public.get_qr_code_owner(text) to anon, authenticated;
