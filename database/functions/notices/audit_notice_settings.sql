create or replace function internal.audit_notice_settings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.record_event('notice_settings_changed', new.user_id);
  return null;
end
$$;

alter function internal.audit_notice_settings() owner to service_role;
