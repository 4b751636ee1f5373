-- Enqueues the email that asks whether an address is the finder's. Several at once are one.
create or replace function internal.enqueue_finder_proof(address_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'prove_finder_address',
    pg_catalog.json_build_object('address_id', address_id_param, 'request_id', pg_catalog.gen_random_uuid()),
    job_key := 'prove_finder_address:' || address_id_param
  );
end
$$;
