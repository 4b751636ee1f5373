-- Enqueues an email about an offer: to the address that it was made to, or to the giver after the acceptance.
create or replace function internal.enqueue_offer_mail(offer_id_param uuid, about_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object('offer_id', offer_id_param, 'about', about_param),
    job_key := 'send_offer_mail:' || about_param || ':' || offer_id_param
  );
end
$$;
