create or replace function internal.enqueue_contact_invitation(contact_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'invite_second_contact' || internal.way_of_contact(contact_id_param),
    pg_catalog.json_build_object('contact_id', contact_id_param),
    job_key := 'invite_second_contact:' || contact_id_param,
    max_attempts := 13
  );
end
$$;
