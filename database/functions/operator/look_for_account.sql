-- For operators: the accounts with exactly this id, email address, or phone number. It tells what an account has, by
-- numbers, and no name or contact detail.
create or replace function public.look_for_account(query_param text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  query constant text := lower(btrim(query_param));
  digits constant text := nullif(regexp_replace(query, '[^0-9]', '', 'g'), '');
  ids uuid[];
  found_id uuid;
begin
  perform internal.require_operator();
  select coalesce(array_agg(account.id), '{}') into ids from (
    select id from auth.users
      where deleted_at is null and case
        when query ~ '@' then query in (email, claimed_email)
        when query ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then id = query::uuid
        when query ~ '^\+?[0-9 ()./-]+$' then phone = digits
        else false
      end
      order by created_at limit 10
  ) as account;
  if cardinality(ids) = 0 then
    perform internal.note_operator('operator_looked', 'account');
  end if;
  foreach found_id in array ids loop
    perform internal.note_operator('operator_looked', 'account', found_id);
  end loop;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
        'id', account.id,
        'created_at', account.created_at,
        'last_sign_in_at', account.last_sign_in_at,
        'confirmed_at', account.confirmed_at,
        'disabled_until', case when account.banned_until > now() then account.banned_until end,
        'is_operator', exists (select from internal.operators where user_id = account.id),
        'has_email', account.email is not null,
        'has_phone', account.phone is not null,
        'second_factors', (select count(*) from auth.mfa_factors where user_id = account.id and status = 'verified')
          + (select count(*) from auth.passkeys where user_id = account.id),
        'email_refused_at', profile.email_refused_at,
        'sessions', (select count(*) from auth.sessions where user_id = account.id),
        'items', (select count(*) from public.items where user_id = account.id and given_at is null),
        'stickers', (select count(*) from public.qr_codes where owner_id = account.id),
        'conversations', (select count(*) from public.conversations where owner_id = account.id),
        'messages', (select count(*) from public.messages where owner_id = account.id)
      ) order by account.created_at), '[]')
      from auth.users as account
      left join public.profiles as profile on profile.id = account.id
      where account.id = any (ids)
  );
end
$$;

grant execute on function public.look_for_account(text) to authenticated;
