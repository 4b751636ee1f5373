-- The place as it is stored: one line.
create or replace function internal.clean_place(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select nullif(regexp_replace(internal.trim_message(typed), '[\u0009\u000A\u0085\u2028\u2029]+', ' ', 'g'), '')
  $$;

alter function internal.clean_place(text) owner to service_role;
