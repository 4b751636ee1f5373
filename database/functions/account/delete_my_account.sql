-- Ends the caller's account: of the person nothing stays in any table. (The log of security events keeps the random
-- id that the account had.) The stickers that the service issued can be claimed anew; codes that the owner brought
-- along are forgotten.
-- Errors: 42501 nobody is signed in, PT403 the sign-in is older than ten minutes.
create or replace function public.delete_my_account()
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or not account.is_anonymous and proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = account.id));
  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null and voided_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null, was_scanned = false where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;

grant execute on function public.delete_my_account() to authenticated;
