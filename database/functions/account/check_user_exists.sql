-- Whether an email address has an account that has proved it, in the words that the sign-up form shows: nobody learns
-- here what others say is theirs. The service limits how often an address may ask, and can hide the answer.
create or replace function public.check_user_exists(email_param text)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users
      where email = lower(internal.trim_blanks(email_param)) and deleted_at is null
  ) then
    return jsonb_build_object(
      'exists', true, 'message', 'An account with this email already exists. Please sign in instead.'
    );
  end if;
  return jsonb_build_object('exists', false, 'message', null);
end
$$;

grant execute on function public.check_user_exists(text) to anon, authenticated;
