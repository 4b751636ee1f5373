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
  return null;
end
$$;

