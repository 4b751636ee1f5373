-- Every account has a profile from its first moment.
create or replace function internal.create_profile_of_new_user()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(nullif(internal.trim_blanks(new.raw_user_meta_data ->> 'full_name'), ''), 200),
      coalesce(new.email, new.claimed_email),
      -- Whatever else stands there is no reason to turn an account away, and no number to offer to a finder.
      substring(new.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
    )
    on conflict (id) do nothing;
  return null;
end
$$;
