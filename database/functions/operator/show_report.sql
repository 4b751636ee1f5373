-- One report as the list has it, or null.
create or replace function public.show_report(report_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
      from internal.reports as report
      left join public.qr_codes as code on code.qr_id = report.qr_id
      where report.id = report_id_param
  $$;
