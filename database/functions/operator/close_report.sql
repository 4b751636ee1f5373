-- Returns whether it was open.
create or replace function public.close_report(report_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update internal.reports set closed_at = now() where id = report_id_param and closed_at is null;
  return found;
end
$$;
