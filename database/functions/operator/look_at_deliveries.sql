-- For operators: what could not be sent or done, newest first, and why. It names no receiver.
create or replace function public.look_at_deliveries() returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'deliveries');
  return internal.queue_state() -> 'failed';
end
$$;

grant execute on function public.look_at_deliveries() to authenticated;
