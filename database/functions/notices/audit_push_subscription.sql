create or replace function internal.audit_push_subscription() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('push_subscription_added', new.user_id, new.session_id);
  else
    perform internal.record_event('push_subscription_removed', old.user_id, old.session_id);
  end if;
  return null;
end
$$;
