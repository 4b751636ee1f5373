-- Writes what an operator looked at or did to the audit log: with the account that it was about, who it was (null for
-- the command line), and the reason, where one was given. Unlike other events, each one is an entry.
create or replace function internal.note_operator(
  event_param text, what_param text, user_id_param uuid default null, reason_param text default null
) returns void
  language sql
  set search_path = ''
  as $$
    insert into auth.audit_log (event, user_id, by_operator, details)
      values (event_param, user_id_param, true, jsonb_strip_nulls(jsonb_build_object(
        'what', what_param, 'operator', (select auth.uid()), 'reason', reason_param
      )))
  $$;
