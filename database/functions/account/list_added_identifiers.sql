-- What came to an account in the last 30 days and can be taken from it again: an address or a number, where the other one was
-- proved before it and still signs in, and a number that finders call and nobody has proved. What was there first is not
-- among them, so that a thief cannot remove it; nor is the address of the registration, however late it is proved.
create or replace function internal.list_added_identifiers(user_id_param uuid)
  returns table (kind text, name text, at timestamptz)
  language sql stable
  set search_path = ''
  as $$
    select added.kind, added.name, added.at
      from auth.users as account
      join public.profiles as profile on profile.id = account.id
      cross join lateral (
        select max(entry.at) filter (where entry.event = 'contact_number_changed') as called_at,
            bool_or(entry.event = 'email_changed') as has_other_email
          from auth.audit_log as entry
          where entry.user_id = account.id and entry.event in ('contact_number_changed', 'email_changed')
      ) as noted
      cross join lateral (values
        ('email', account.email, account.email_confirmed_at,
          noted.has_other_email and account.phone is not null
            and account.phone_confirmed_at < account.email_confirmed_at),
        ('phone', '+' || account.phone, account.phone_confirmed_at,
          account.email is not null and account.email_confirmed_at < account.phone_confirmed_at),
        ('contact_number', profile.phone, noted.called_at, account.phone is null)
      ) as added (kind, name, at, can_go)
      where account.id = user_id_param and account.deleted_at is null
        and added.name is not null and added.can_go and added.at > now() - interval '30 days'
  $$;
