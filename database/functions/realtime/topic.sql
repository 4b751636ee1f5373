create or replace function realtime.topic() returns text
  language sql stable
  set search_path = ''
  as $$ select nullif(current_setting('realtime.topic', true), '') $$;

grant execute on function realtime.topic() to anon, authenticated;
