-- Claims a code for the caller, who must be named as its owner. The caller needs room for another code: an account has
-- twice as many codes as items, so that it can still claim codes when its items are full. Deleting an item frees its
-- code.
create or replace function public.register_qr_code(qr_id_param text, user_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
begin
  if user_id_param is distinct from (select auth.uid()) then
    raise exception 'A code can be registered only for the account that asks' using errcode = '42501';
  end if;
  perform internal.claim_code(qr_id_param, user_id_param);
  -- Of two claims at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || user_id_param, 0));
  if exists (select from public.qr_codes where owner_id = user_id_param offset 2 * most limit 1) then
    raise exception 'The account has no room left for another code' using errcode = 'PT413';
  end if;
end
$$;

grant execute on function public.register_qr_code(text, uuid) to authenticated;
