-- Enqueues a test to an account's address or number. It is tried once: who asked for it sees what became of it.
create or replace function internal.enqueue_test_message(user_id_param uuid, way_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_test_' || way_param,
    pg_catalog.json_build_object('id', pg_catalog.gen_random_uuid(), 'user_id', user_id_param, 'way', way_param),
    job_key := 'send_test_message:' || way_param || ':' || user_id_param,
    max_attempts := 1
  );
end
$$;
