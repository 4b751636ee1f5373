-- For operators: how the service is, as far as the database knows. The program adds what it knows itself.
create or replace function public.look_at_service() returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  queue jsonb;
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'service');
  queue := internal.queue_state();
  return jsonb_build_object(
    'database', jsonb_build_object(
      'version', current_setting('server_version'),
      'bytes', pg_catalog.pg_database_size(pg_catalog.current_database())
    ),
    'jobs', jsonb_build_object(
      'due', queue -> 'due',
      'oldest_due_seconds', queue -> 'oldest_due_seconds',
      'failed', jsonb_array_length(queue -> 'failed')
    ),
    'push', jsonb_build_object(
      'devices', (select count(*) from public.push_subscriptions where ended_at is null),
      'failing', (select count(*) from public.push_subscriptions where ended_at is null and failing_since is not null)
    ),
    'refused_addresses', (select count(*) from public.profiles where email_refused_at is not null),
    'open_reports', (select count(*) from internal.reports where closed_at is null)
  );
end
$$;

grant execute on function public.look_at_service() to authenticated;
