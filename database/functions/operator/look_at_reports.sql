-- For operators: the open reports, or all, newest first, as `list_reports` has them.
create or replace function public.look_at_reports(with_closed_param boolean default false) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'reports');
  return public.list_reports(with_closed_param);
end
$$;

grant execute on function public.look_at_reports(boolean) to authenticated;
