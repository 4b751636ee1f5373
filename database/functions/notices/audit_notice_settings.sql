-- Less than before, or than an account without settings gets, outlives the session: messages to come would go unnoticed.
create or replace function internal.audit_notice_settings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  had public.notice_settings;
begin
  if tg_op = 'UPDATE' then
    had := old;
  else
    had.email := true;
    had.push := true;
    had.reminder := true;
  end if;
  if had.email and not new.email or had.push and not new.push or had.sms and not new.sms or had.reminder and not new.reminder
      or new.quiet_from is not null and (had.quiet_from, had.quiet_to, had.time_zone)
        is distinct from (new.quiet_from, new.quiet_to, new.time_zone) then
    perform internal.make_lasting_change('notices_reduced', new.user_id);
  else
    perform internal.record_event('notice_settings_changed', new.user_id);
  end if;
  return null;
end
$$;

alter function internal.audit_notice_settings() owner to service_role;
