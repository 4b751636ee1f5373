-- The accounts with the operator's role, oldest first, and whether each has a second factor or a passkey.
create or replace function public.list_operators() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(jsonb_build_object(
        'id', account.id,
        'email', account.email,
        'since', operator.created_at,
        'has_second_factor',
          exists (select from auth.mfa_factors where user_id = account.id and status = 'verified')
          or exists (select from auth.passkeys where user_id = account.id)
      ) order by operator.created_at, account.id), '[]')
      from internal.operators as operator
      join auth.users as account on account.id = operator.user_id
  $$;
