-- Before a session ends others of its account: their devices will not show what happened, so the owner is notified.
create or replace function internal.note_sign_out_elsewhere(user_id_param uuid, session_id_param uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  if exists (select from auth.sessions where user_id = user_id_param and id <> session_id_param) then
    perform internal.record_event('signed_out_elsewhere', user_id_param, session_id_param);
    perform internal.enqueue_change_notice('signed_out_elsewhere', user_id_param, session_id_param);
  end if;
end
$$;
