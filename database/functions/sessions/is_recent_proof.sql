-- Whether what a session proved at one moment still stands for its owner at another. The one place that says how long.
create or replace function internal.is_recent_proof(proved_at timestamptz, at timestamptz) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select proved_at > at - interval '24 hours' $$;
