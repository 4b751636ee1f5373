-- kind: compatible
-- Notices after failures: no step is postponed by a later message, SMS leave the workers to others, and an address that is
-- told of messages is added by somebody who proved who they are.

-- As before, and a step that has failed once keeps its time too: `preserve_run_at` keeps it until the first attempt alone.
create or replace function internal.enqueue_unseen_notice(step_param text, conversation_id_param uuid, run_at_param timestamptz)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  job_key_param text := 'notify_of_unseen:' || step_param || ':' || conversation_id_param;
begin
  perform graphile_worker.add_job(
    'notify_of_unseen',
    pg_catalog.json_build_object('step', step_param, 'conversation_id', conversation_id_param),
    job_key := job_key_param,
    job_key_mode := 'preserve_run_at',
    run_at := least(run_at_param, (
      select job.run_at from graphile_worker.jobs as job where job.key = job_key_param and job.locked_at is null
    )),
    -- The waits grow to six hours: the last attempt is 22 hours after the first.
    max_attempts := 13,
    flags := case when step_param = 'sms' then array['sms'] end
  );
end
$$;

-- As before, with the flag of SMS.
create or replace function internal.enqueue_contact_notice(
  contact_id_param uuid, conversation_id_param uuid, run_at_param timestamptz
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_second_contact',
    pg_catalog.json_build_object('contact_id', contact_id_param, 'conversation_id', conversation_id_param),
    job_key := 'notify_second_contact:' || contact_id_param || ':' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := run_at_param,
    max_attempts := 13,
    flags := (select array['sms'] from public.second_contacts where id = contact_id_param and phone is not null)
  );
end
$$;

-- As before, for somebody who recently proved their identity.
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
  return jsonb_build_object('id', added.id, 'kind', added.kind);
end
$$;
