-- Somebody who reads an address says that it is not theirs: it is taken off the account that named it, if nobody has
-- proved it since. Whoever has the link may do it, signed in or not. Returns whether the link was good.
create or replace function public.disown_address(token_param text)
  returns boolean
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  disowned record;
begin
  delete from auth.one_time_tokens
    where link_hash = sha256(convert_to(token_param, 'UTF8'))
      and token_type = 'address_disowning' and link_expires_at > now()
    returning user_id, relates_to into disowned;
  if not found then
    return false;
  end if;
  update auth.users
    set claimed_email = null, lost_email_hash = case when phone is null then sha256(convert_to(claimed_email, 'UTF8')) end,
      raw_user_meta_data = raw_user_meta_data - 'email'
    where id = disowned.user_id and claimed_email = disowned.relates_to;
  if not found then
    return false;
  end if;
  update auth.identities
    set identity_data = identity_data - 'email', updated_at = now()
    where user_id = disowned.user_id and provider = 'email';
  delete from auth.one_time_tokens where user_id = disowned.user_id and relates_to = disowned.relates_to;
  delete from internal.unproved_notices where user_id = disowned.user_id;
  return true;
end
$$;

grant execute on function public.disown_address(text) to anon, authenticated;
