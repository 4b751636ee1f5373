create or replace function internal.disclosed_at(happened_at_param timestamptz, written_at_param timestamptz) returns timestamptz
  language sql stable
  set search_path = ''
  as $$
    select greatest(
        date_trunc('hour', happened_at_param, 'UTC'),
        -- A message that is younger than an hour would tell the minutes in which it was read.
        date_trunc('hour', written_at_param, 'UTC') + interval '1 hour'
      ) + interval '1 hour'
  $$;

alter function internal.disclosed_at(timestamptz, timestamptz) owner to service_role;
comment on function internal.disclosed_at(timestamptz, timestamptz) is 'When a finder learns what the owner did with a message: the first full hour afterwards at which the message is an hour old.';
