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
  select owner_id, voided_at is not null into holder, is_void from public.qr_codes where qr_id = qr_id_param;
  if holder is null or holder = (select auth.uid()) then
    return holder;
  end if;
  if is_void then
    return null;
  end if;
  return left(encode(sha256(convert_to(
    (select value from internal.secrets where name = 'owner_reference') || ':' || qr_id_param || ':' || holder, 'UTF8'
  )), 'hex'), 32)::uuid;
end
$$;

alter function public.get_qr_code_owner(text) owner to service_role;
grant execute on function public.get_qr_code_owner(text) to anon, authenticated;
