-- kind: compatible
-- A new notice address is mailed about, by its host alone.
create or replace function internal.enqueue_account_mail(kind_param text, user_id_param uuid, address_param text DEFAULT NULL::text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if kind_param not in (
    'address_proof', 'address_lost', 'email_changed', 'notice_address_added', 'password_changed', 'phone_changed'
  ) then
    raise exception 'There is no such mail' using errcode = '22023';
  end if;
  perform graphile_worker.add_job(
    'send_account_mail',
    pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'kind', kind_param, 'user_id', user_id_param, 'address', address_param
    )
  );
end
$$;

-- As before, and enqueues a mail that names the new address's host.
create or replace function public.add_notice_address(
  kind_param text, name_param text, url_param text, token_param text default null, shows_text_param boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_addresses constant integer := 5;
  caller uuid := (select auth.uid());
  added public.notice_addresses;
begin
  -- Addresses of one account are counted one after another.
  perform from public.profiles where id = caller for no key update;
  if not found then
    raise exception 'Only an account has notice addresses' using errcode = '42501';
  end if;
  -- It outlives the session, and is told of every message.
  perform internal.require_recent_proof();
  if (select count(*) from public.notice_addresses where user_id = caller) >= most_addresses then
    raise exception 'An account has at most % notice addresses', most_addresses using errcode = 'PT409';
  end if;
  insert into public.notice_addresses (user_id, kind, name, url, token, shows_text)
    values (caller, kind_param, btrim(name_param), url_param, nullif(token_param, ''), coalesce(shows_text_param, false))
    returning * into added;
  -- The rest of the URL may be a secret.
  perform internal.enqueue_account_mail(
    'notice_address_added', caller, substring(added.url from '^[a-z]+://(?:[^/?#]*@)?([^/?#:]+)')
  );
  return jsonb_build_object('id', added.id, 'kind', added.kind);
end
$$;
