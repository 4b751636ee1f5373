-- kind: compatible
-- A finder reports the page of a sticker to the operator.

create table internal.reports (
  id uuid primary key default gen_random_uuid(),
  kind text not null constraint reports_kind_check check (kind in ('planted', 'abuse', 'wrong_item')),
  qr_id text not null,
  body text constraint reports_body_check check (char_length(body) between 1 and 500),
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
comment on table internal.reports is 'What finders report to the operator. Nothing says who reported it.';
comment on column internal.reports.qr_id is 'The tag code of the page. The report stays when the item is deleted.';
create index reports_tag on internal.reports (qr_id, created_at desc);
create index reports_created on internal.reports (created_at desc);
create index reports_closed on internal.reports (closed_at) where closed_at is not null;
alter table internal.reports enable row level security;
alter table internal.reports force row level security;
grant select, insert, update, delete on internal.reports to service_role;

-- Stores a report, unless the same one is open already. A tag code keeps its newest 50, so that a flood has an end.
create function internal.report_page(qr_id_param text, kind_param text, body_param text) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  trimmed text := nullif(internal.trim_message(body_param), '');
begin
  if exists (
    select from internal.reports
      where qr_id = qr_id_param and kind = kind_param and body is not distinct from trimmed and closed_at is null
  ) then
    return;
  end if;
  insert into internal.reports (kind, qr_id, body) values (kind_param, qr_id_param, trimmed);
  delete from internal.reports where id in (
    select id from internal.reports where qr_id = qr_id_param order by created_at desc, id offset 50
  );
end
$$;

-- The operator's list: open reports, or all, newest first, with the account that the tag code belongs to now. One object
-- for each, without a limit of rows.
create function public.list_reports(with_closed_param boolean default false) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
        order by report.created_at desc, report.id), '[]')
      from (
        select * from internal.reports
          where closed_at is null or with_closed_param
          order by created_at desc, id
          limit 1000
      ) as report
      left join public.qr_codes as code on code.qr_id = report.qr_id
  $$;

-- One report as the list has it, or null.
create function public.show_report(report_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select to_jsonb(report) || jsonb_build_object('owner_id', code.owner_id)
      from internal.reports as report
      left join public.qr_codes as code on code.qr_id = report.qr_id
      where report.id = report_id_param
  $$;

-- Returns whether it was open.
create function public.close_report(report_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update internal.reports set closed_at = now() where id = report_id_param and closed_at is null;
  return found;
end
$$;
grant execute on function internal.report_page(text, text, text) to service_role;
grant execute on function public.list_reports(boolean) to service_role;
grant execute on function public.show_report(uuid) to service_role;
grant execute on function public.close_report(uuid) to service_role;

create function internal.enqueue_report_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_operator_of_report',
    pg_catalog.json_build_object('report_id', new.id),
    job_key := 'notify_operator_of_report:' || new.id
  );
  return null;
end
$$;
create trigger reports_enqueue_notice after insert on internal.reports
  for each row execute function internal.enqueue_report_notice();
