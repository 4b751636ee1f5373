-- After 50 entries of one event in a day (UTC), the last one counts the further ones: the first are the ones to read.
create or replace function internal.record_event(
  event_param text, user_id_param uuid, session_id_param uuid default null, details_param jsonb default '{}'
) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_entries constant integer := 50;
  entries integer;
  newest bigint;
begin
  select count(*), max(id) into entries, newest from (
    select id from auth.audit_log
      where user_id = user_id_param and at >= date_trunc('day', now(), 'UTC') and event = event_param
      order by at desc limit most_entries
  ) as today;
  if entries < most_entries then
    insert into auth.audit_log (event, user_id, session_id, details)
      values (event_param, user_id_param, session_id_param, details_param);
  else
    update auth.audit_log set times = times + 1 where id = newest;
  end if;
end
$$;
