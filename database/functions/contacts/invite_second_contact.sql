-- Invites a second contact, by email or by SMS. An account has three.
create or replace function public.invite_second_contact(email_param text, phone_param text, for_all_param boolean default false)
  returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_contacts constant integer := 3;
  account uuid := (select id from auth.users
    where id = (select auth.uid()) and not is_anonymous and deleted_at is null and confirmed_at is not null);
  invited uuid;
begin
  if account is null then
    raise exception 'Only a confirmed account has second contacts' using errcode = '42501';
  end if;
  -- Contacts of one account are counted one after another.
  perform pg_advisory_xact_lock(hashtextextended('second contacts of ' || account, 0));
  if (select count(*) from public.second_contacts where owner_id = account and left_at is null) >= most_contacts then
    raise exception 'An account has at most % second contacts', most_contacts using errcode = 'PT409';
  end if;
  insert into public.second_contacts (owner_id, email, phone, for_all)
    values (
      account, nullif(lower(internal.trim_blanks(email_param)), ''), nullif(internal.trim_blanks(phone_param), ''),
      coalesce(for_all_param, false)
    )
    on conflict do nothing
    returning id into invited;
  if invited is null then
    raise exception 'This second contact was invited already' using errcode = 'PT409';
  end if;
  perform internal.enqueue_contact_invitation(invited);
  return invited;
end
$$;

grant execute on function public.invite_second_contact(text, text, boolean) to authenticated;
