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
    had.email_has := true;
    had.email_first := true;
    had.email_more := true;
    had.push_has := true;
    had.push_first := true;
    had.push_more := true;
    had.sms_has := true;
    had.sms_first := true;
    had.sms_more := true;
  end if;
  if had.email and not new.email or had.push and not new.push or had.sms and not new.sms or had.reminder and not new.reminder
      or had.email_has and not new.email_has or had.email_first and not new.email_first
      or had.email_more and not new.email_more or had.push_has and not new.push_has
      or had.push_first and not new.push_first or had.push_more and not new.push_more
      or had.sms_has and not new.sms_has or had.sms_first and not new.sms_first or had.sms_more and not new.sms_more
      or new.quiet_from is not null and (had.quiet_from, had.quiet_to, had.time_zone)
        is distinct from (new.quiet_from, new.quiet_to, new.time_zone) then
    perform internal.make_lasting_change('notices_reduced', new.user_id);
  else
    perform internal.record_event('notice_settings_changed', new.user_id);
  end if;
  return null;
end
$$;
