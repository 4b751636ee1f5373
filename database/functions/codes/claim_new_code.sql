-- A new code that is the caller's at once, for an item without a sticker. Like any code of an account it is bounded in
-- number, and gone with its item. Repeating the request returns the same code.
create or replace function public.claim_new_code(request_id_param uuid default gen_random_uuid()) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := auth.uid();
  code text;
begin
  if caller is null then
    raise exception 'A code is claimed by somebody signed in' using errcode = '42501';
  end if;
  -- Of two calls at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
  select qr_id into code from public.qr_codes where owner_id = caller and request_id = request_id_param limit 1;
  if not found then
    code := internal.new_tag_code();
    insert into public.qr_codes (qr_id, owner_id, claimed_at, request_id) values (code, caller, now(), request_id_param);
    perform public.register_qr_code(code, caller);
  end if;
  return code;
end
$$;

grant execute on function public.claim_new_code(uuid) to authenticated;
