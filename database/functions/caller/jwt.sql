create or replace function auth.jwt() returns jsonb
  language sql stable parallel safe
  set search_path = ''
  as $$ select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb $$;

grant execute on function auth.jwt() to anon, authenticated;
