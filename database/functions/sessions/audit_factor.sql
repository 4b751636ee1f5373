create or replace function internal.audit_factor() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('factor_removed', old.user_id, null,
      pg_catalog.jsonb_build_object('type', old.factor_type, 'status', old.status));
    if old.status = 'verified' then
      perform internal.enqueue_change_notice('factor_removed', old.user_id);
    end if;
  else
    perform internal.record_event(
      case tg_op when 'INSERT' then 'factor_enrolled' else 'factor_verified' end, new.user_id, null,
      pg_catalog.jsonb_build_object('type', new.factor_type, 'id', new.id));
    if tg_op = 'UPDATE' then
      perform internal.enqueue_change_notice('factor_verified', new.user_id);
    end if;
  end if;
  return null;
end
$$;
