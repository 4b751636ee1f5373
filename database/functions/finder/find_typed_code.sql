-- The tag code with this typed code, which is given in capitals, with or without hyphens. Null where there is none, and
-- for a void code, except to its owner and to operators.
create or replace function public.find_typed_code(typed_code_param text) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  tag_code text;
begin
  perform internal.require_look_up(typed_code_param);
  select typed.qr_id into tag_code
    from internal.typed_codes as typed
    join public.qr_codes as code on code.qr_id = typed.qr_id
    where typed.typed_code = pg_catalog.replace(typed_code_param, '-', '')
      and (code.voided_at is null or code.owner_id = (select auth.uid()) or (select auth.role()) = 'service_role');
  if tag_code is null then
    perform internal.note_look_up('miss', typed_code_param);
  end if;
  return tag_code;
end
$$;

grant execute on function public.find_typed_code(text) to anon, authenticated;
