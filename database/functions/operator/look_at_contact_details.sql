-- For operators: the name and the contact details of an account. The person concerned reads the reason among the recent
-- changes of their account. Errors: 22023 no reason, PT404 no such account.
create or replace function public.look_at_contact_details(user_id_param uuid, reason_param text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  reason constant text := btrim(coalesce(reason_param, ''));
  details jsonb;
begin
  perform internal.require_operator();
  if char_length(reason) not between 5 and 200 then
    raise exception 'This needs a reason of 5 to 200 characters' using errcode = '22023';
  end if;
  select jsonb_build_object(
      'name', profile.full_name,
      'email', coalesce(account.email, account.claimed_email),
      'phone', coalesce('+' || account.phone, profile.phone)
    ) into details
    from auth.users as account
    left join public.profiles as profile on profile.id = account.id
    where account.id = user_id_param and account.deleted_at is null;
  if not found then
    raise exception 'There is no such account' using errcode = 'PT404';
  end if;
  perform internal.note_operator('operator_looked', 'contact_details', user_id_param, reason);
  return details;
end
$$;

grant execute on function public.look_at_contact_details(uuid, text) to authenticated;
