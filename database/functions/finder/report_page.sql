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
