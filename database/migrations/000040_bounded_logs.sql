-- kind: compatible
-- What one account can make the service store without end: entries of the audit log. A range of numbers that an operator
-- opened stays open. An anonymous account, which has nothing to prove with, can be deleted at any time.

-- After 50 entries of one event in a day (UTC), the last one counts the further ones: the first are the ones to read.
create or replace function internal.record_event(
  event_param text, user_id_param uuid, session_id_param uuid default null, details_param jsonb default '{}'
) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_entries constant integer := 50;
  entries integer;
  newest bigint;
begin
  select count(*), max(id) into entries, newest from (
    select id from auth.audit_log
      where user_id = user_id_param and at >= date_trunc('day', now(), 'UTC') and event = event_param
      order by at desc limit most_entries
  ) as today;
  if entries < most_entries then
    insert into auth.audit_log (event, user_id, session_id, details)
      values (event_param, user_id_param, session_id_param, details_param);
  else
    update auth.audit_log set times = times + 1 where id = newest;
  end if;
end
$$;

alter table auth.sms_ranges add column by_hand boolean not null default false;
comment on column auth.sms_ranges.by_hand is 'Whether an operator opened the range. It stays open until an operator closes it, or its trials come back.';

-- Returns false if they were held back already.
create or replace function public.open_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  was_open boolean;
begin
  insert into auth.sms_ranges (number_range) values (range_param) on conflict (number_range) do nothing;
  select open_since is not null into was_open from auth.sms_ranges where number_range = range_param for update;
  update auth.sms_ranges
    set by_hand = true, open_since = coalesce(open_since, now()),
      sent_at = case when was_open then sent_at else '{}' end,
      came_back = case when was_open then came_back else '{}' end
    where number_range = range_param;
  return not was_open;
end
$$;

-- Returns false if they were not held back. Earlier codes no longer count, or they would open the range at once.
create or replace function public.close_sms_range(range_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update auth.sms_ranges set open_since = null, by_hand = false, sent_at = '{}', came_back = '{}'
    where number_range = range_param and open_since is not null;
  return found;
end
$$;

create or replace function public.delete_my_account()
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or not account.is_anonymous and proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;
