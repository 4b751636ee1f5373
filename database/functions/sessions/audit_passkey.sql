create or replace function internal.audit_passkey() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  event text := case tg_op when 'DELETE' then 'passkey_removed' else 'passkey_added' end;
  account uuid := coalesce(new.user_id, old.user_id);
begin
  perform internal.record_event(event, account);
  perform internal.enqueue_change_notice(event, account);
  return null;
end
$$;
