-- Of failures there may be many: one row for each account and hour counts them. Those at addresses without an
-- account are counted together.
create or replace function internal.record_failure(event_param text, user_id_param uuid) returns void
  language sql
  set search_path = ''
  as $$
    insert into auth.audit_log as log (at, event, user_id)
      values (pg_catalog.date_trunc('hour', pg_catalog.now()), event_param, user_id_param)
      on conflict (event, coalesce(user_id, '00000000-0000-0000-0000-000000000000'), at)
        where event in ('sign_in_failed', 'second_factor_failed', 'recovery_code_failed')
      do update set times = log.times + 1;
  $$;
