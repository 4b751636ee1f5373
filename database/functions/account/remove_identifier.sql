-- Takes the address (`email`) or the proved number (`phone`) from an account, with all that was sent to it and would still
-- sign in. The caller has made sure that the other one recovers the account.
create or replace function internal.remove_identifier(user_id_param uuid, kind_param text) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  delete from auth.one_time_tokens
    where user_id = user_id_param and token_type not in ('address_proof', 'address_disowning');
  delete from auth.authorization_codes where user_id = user_id_param;
  delete from auth.identities where user_id = user_id_param and provider = kind_param;
  if kind_param = 'email' then
    update auth.users set
        email = null, claimed_email = null, email_confirmed_at = null,
        raw_user_meta_data = raw_user_meta_data - array['email', 'email_verified']
      where id = user_id_param;
  else
    -- First the account: its proved number is kept in the profile.
    update auth.users set
        phone = null, phone_confirmed_at = null,
        raw_user_meta_data = raw_user_meta_data - array['phone', 'phone_verified']
      where id = user_id_param;
    update public.profiles set phone = null where id = user_id_param and phone is not null;
  end if;
end
$$;
