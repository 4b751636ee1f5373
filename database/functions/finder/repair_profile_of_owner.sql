-- Makes the profile of the owner of a claimed code again from the account, where it is missing. Returns whether it was.
create or replace function internal.repair_profile_of_owner(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    select
        account.id,
        left(nullif(internal.trim_blanks(account.raw_user_meta_data ->> 'full_name'), ''), 200),
        coalesce(account.email, account.claimed_email),
        substring(account.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
      from public.qr_codes as code
      join auth.users as account on account.id = code.owner_id
      where code.qr_id = qr_id_param
    on conflict (id) do nothing;
  return found;
end
$$;
