create or replace function internal.audit_session() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('signed_in', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method', 'new_device', new.device_is_new));
  elsif tg_op = 'DELETE' then
    perform internal.record_event('session_ended', old.user_id, old.id);
  elsif new.aal = 'aal2' then
    perform internal.record_event('second_factor_passed', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method'));
  else
    perform internal.record_event('session_lowered', new.user_id, new.id);
  end if;
  return null;
end
$$;
