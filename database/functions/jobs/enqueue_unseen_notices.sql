create or replace function internal.enqueue_unseen_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  settings public.notice_settings;
begin
  select * into settings from public.notice_settings where user_id = new.owner_id;
  if settings.sms then
    perform internal.enqueue_unseen_notice('sms', new.conversation_id, now() + interval '15 minutes');
  end if;
  if coalesce(settings.reminder, true) then
    perform internal.enqueue_unseen_notice('reminder', new.conversation_id, now() + interval '1 day');
  end if;
  return null;
end
$$;
