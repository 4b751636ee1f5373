-- kind: compatible
-- A repeated request for a new code returns the same one (docs/decisions/0075-codes-that-may-be-claimed.md).

comment on column public.qr_codes.request_id is
  'For a code that was made for its owner: their request that made it, so that a repeated one is recognized.';

-- As before, and a request is repeatable: while the code that it made is the caller's, it makes no other.
drop function public.claim_new_code();
create function public.claim_new_code(request_id_param uuid default gen_random_uuid()) returns text
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

grant create on schema public to service_role;
alter function public.claim_new_code(uuid) owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.claim_new_code(uuid) to authenticated, service_role;
