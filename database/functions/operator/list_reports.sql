-- The operator's list: open reports, or all, newest first, with the account that the tag code belongs to now. One object
-- for each, without a limit of rows.
create or replace function public.list_reports(
  with_closed_param boolean default false,
  page_param integer default 1,
  per_page_param integer default 50
) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'total', (select count(*) from internal.reports where closed_at is null or with_closed_param),
      'reports', coalesce((
        select jsonb_agg(to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
            order by report.created_at desc, report.id)
          from (
            select * from internal.reports
              where closed_at is null or with_closed_param
              order by created_at desc, id
              limit least(greatest(per_page_param, 1), 1000)
              offset (greatest(page_param, 1)::bigint - 1) * least(greatest(per_page_param, 1), 1000)
          ) as report
          left join public.qr_codes as code on code.qr_id = report.qr_id
      ), '[]')
    )
  $$;
