-- One email about what is voided within five minutes: the job waits so long. Later codes are added to its payload, because
-- lists are joined, and do not put it off.
create or replace function internal.enqueue_void_mail(owner_id_param uuid, qr_ids text[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_void_mail',
    pg_catalog.json_build_array(
      pg_catalog.json_build_object('id', pg_catalog.gen_random_uuid(), 'owner_id', owner_id_param, 'qr_ids', qr_ids)
    ),
    job_key := 'send_void_mail:' || owner_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := pg_catalog.now() + interval '5 minutes'
  );
end
$$;
