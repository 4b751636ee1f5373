create or replace function auth.role() returns text
  language sql stable parallel safe
  set search_path = ''
  as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $$;

grant execute on function auth.role() to anon, authenticated;
