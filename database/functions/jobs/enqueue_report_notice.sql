create or replace function internal.enqueue_report_notice() returns trigger
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
