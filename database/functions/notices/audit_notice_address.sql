create or replace function internal.audit_notice_address() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  -- The rest of the URL may be a secret.
  host text := substring((case when tg_op = 'DELETE' then old.url else new.url end) from '^[a-z]+://(?:[^/?#]*@)?([^/?#:]+)');
begin
  if tg_op = 'INSERT' then
    perform internal.make_lasting_change('notice_address_added', new.user_id, host);
  elsif tg_op = 'DELETE' then
    perform internal.make_lasting_change('notice_address_removed', old.user_id, host);
  elsif new.shows_text and not old.shows_text then
    perform internal.make_lasting_change('notice_address_widened', new.user_id, host);
  elsif old.gets_has and not new.gets_has or old.gets_first and not new.gets_first
      or old.gets_more and not new.gets_more then
    perform internal.make_lasting_change('notices_reduced', new.user_id);
  end if;
  return null;
end
$$;
