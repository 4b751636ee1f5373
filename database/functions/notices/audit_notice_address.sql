create or replace function internal.audit_notice_address() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('notice_address_added', new.user_id);
  else
    perform internal.record_event('notice_address_removed', old.user_id);
  end if;
  return null;
end
$$;

alter function internal.audit_notice_address() owner to service_role;
