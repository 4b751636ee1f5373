create or replace function internal.audit_operator() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('operator_added', new.user_id);
  else
    perform internal.record_event('operator_removed', old.user_id);
  end if;
  return null;
end
$$;
