-- Enqueues the email to the giver of an item. It contains what the email says: the giver may delete the offer with the record
-- of the item before it is sent, and so may whoever acts with a stolen session.
create or replace function internal.enqueue_acceptance_mail(
  offer_id_param uuid, giver_id_param uuid, email_param text, item_name_param text
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_offer_mail',
    pg_catalog.json_build_object(
      'offer_id', offer_id_param, 'about', 'acceptance', 'giver_id', giver_id_param, 'email', email_param,
      'item_name', item_name_param
    ),
    job_key := 'send_offer_mail:acceptance:' || offer_id_param
  );
end
$$;
