create or replace function internal.audit_identity() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('identity_unlinked', old.user_id, null,
      pg_catalog.jsonb_build_object('provider', old.provider));
  else
    perform internal.record_event('identity_linked', new.user_id, null,
      pg_catalog.jsonb_build_object('provider', new.provider));
  end if;
  -- Not those that an account begins with.
  if coalesce(new.provider, old.provider) not in ('email', 'phone') and exists (
    select from auth.users where id = coalesce(new.user_id, old.user_id) and created_at < pg_catalog.now()
  ) then
    perform internal.enqueue_change_notice(
      case tg_op when 'DELETE' then 'identity_unlinked' else 'identity_linked' end, coalesce(new.user_id, old.user_id)
    );
  end if;
  return null;
end
$$;
