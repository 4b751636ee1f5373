-- kind: compatible
-- No report is lost to later ones, and each names the account that it was about.

alter table internal.reports
  add column repeats integer not null default 0,
  add column owner_then uuid references auth.users on delete set null;
comment on column internal.reports.repeats is 'How many further reports were counted here instead of being stored.';
comment on column internal.reports.owner_then is 'The account that the tag code belonged to when it was reported. Null once that account is deleted.';
create index reports_owner on internal.reports (owner_then) where owner_then is not null;

-- Stores a report. The same one again is counted, and so is one beyond 20 open ones of the same kind about the same page, so
-- that a flood has an end and takes nothing away.
create or replace function internal.report_page(qr_id_param text, kind_param text, body_param text) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  trimmed text := nullif(internal.trim_message(body_param), '');
  owner uuid := (select owner_id from public.qr_codes where qr_id = qr_id_param);
  alike uuid[] := array(
    select id from internal.reports
      where qr_id = qr_id_param and kind = kind_param and owner_then is not distinct from owner and closed_at is null
      order by body is not distinct from trimmed desc, created_at, id
      limit 20
  );
begin
  update internal.reports set repeats = repeats + 1
    where id = alike[1] and (cardinality(alike) = 20 or body is not distinct from trimmed);
  if not found then
    insert into internal.reports (kind, qr_id, body, owner_then) values (kind_param, qr_id_param, trimmed, owner);
  end if;
end
$$;

-- As before, a page at a time with the number of all.
drop function public.list_reports(boolean);
create function public.list_reports(
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
grant execute on function public.list_reports(boolean, integer, integer) to service_role;
