create or replace function internal.audit_notice_address() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.make_lasting_change('notice_address_added', new.user_id);
  elsif tg_op = 'DELETE' then
    perform internal.make_lasting_change('notice_address_removed', old.user_id);
  elsif new.shows_text and not old.shows_text then
    perform internal.make_lasting_change('notice_address_widened', new.user_id);
  end if;
  return null;
end
$$;

alter function internal.audit_notice_address() owner to service_role;
