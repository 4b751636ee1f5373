-- An e-mail to somebody about their account, in the transaction of what it is about. Runs as whoever migrated, who
-- owns the job queue; so it takes nothing but what the job needs. The address is given where it is not the account's.
create or replace function internal.enqueue_account_mail(kind_param text, user_id_param uuid, address_param text DEFAULT NULL::text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if kind_param not in ('address_proof', 'address_lost') then
    raise exception 'There is no such mail' using errcode = '22023';
  end if;
  perform graphile_worker.add_job(
    case kind_param when 'address_lost' then 'send_account_sms' else 'send_account_mail' end,
    pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'kind', kind_param, 'user_id', user_id_param, 'address', address_param
    )
  );
end
$$;
