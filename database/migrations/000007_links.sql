-- kind: compatible
-- Links beside one-time codes, proof keys, changes of an address that wait for their proof, and addresses that nobody
-- has proved.

alter table auth.one_time_tokens
  -- Null where only a link was sent.
  alter column token_hash drop not null,
  -- SHA-256 of what the link carries, 256 random bits; null where only a code was sent.
  add column link_hash bytea unique,
  add column link_expires_at timestamptz,
  -- S256 of the verifier that the client of this flow keeps (RFC 7636); its link gives a code and no session.
  add column code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  add constraint one_time_tokens_have_a_secret check (token_hash is not null or link_hash is not null),
  add constraint one_time_tokens_link_expires check ((link_hash is null) = (link_expires_at is null)),
  drop constraint one_time_tokens_token_type_check,
  add constraint one_time_tokens_token_type_check check (token_type in (
    'confirmation', 'invite', 'sign_in', 'recovery', 'email_change_current', 'email_change_new', 'phone_change',
    'reauthentication', 'address_proof', 'address_disowning'
  ));
comment on column auth.one_time_tokens.attempts is 'Guesses at the code. They do not touch the link, which nobody can guess.';
create index one_time_tokens_recipient on auth.one_time_tokens (relates_to);

-- What a followed link of a flow with a proof key gave: exchanged once, within minutes, by whoever has the verifier.
create table auth.authorization_codes (
  code_hash bytea primary key,
  user_id uuid not null references auth.users on delete cascade,
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- How the session that it becomes was begun (wire contract, section 1.4).
  method text not null,
  expires_at timestamptz not null
);
create index authorization_codes_user on auth.authorization_codes (user_id);
create index authorization_codes_expiry on auth.authorization_codes (expires_at);
alter table auth.authorization_codes enable row level security;
alter table auth.authorization_codes force row level security;
grant select, insert, update, delete on auth.authorization_codes to service_role;

-- Which proofs a change of the e-mail address still waits for.
alter table auth.users
  add column email_change_awaits text[] not null default '{}'
    check (email_change_awaits <@ array['email_change_current', 'email_change_new']);

-- Notices that went to an address while nobody had proved it: one row for each, so that a job that is tried again
-- counts once.
create table internal.unproved_notices (
  -- Of what the notice is about.
  message_id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  sent_at timestamptz not null default now()
);
create index unproved_notices_user on internal.unproved_notices (user_id);
alter table internal.unproved_notices enable row level security;
alter table internal.unproved_notices force row level security;
grant select, insert, update, delete on internal.unproved_notices to service_role;

-- An e-mail to somebody about their account, in the transaction of what it is about. Runs as whoever migrated, who
-- owns the job queue; so it takes nothing but what the job needs. The address is given where it is not the account's.
create function internal.enqueue_account_mail(kind_param text, user_id_param uuid, address_param text default null)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if kind_param not in ('address_proof', 'email_changed', 'password_changed', 'phone_changed') then
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
grant execute on function internal.enqueue_account_mail(text, uuid, text) to service_role;

-- Somebody who reads an address says that it is not theirs: it is taken off the account that named it, if nobody has
-- proved it since. Whoever has the link may do it, signed in or not. Returns whether the link was good.
create function public.disown_address(token_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  disowned record;
begin
  delete from auth.one_time_tokens
    where link_hash = sha256(convert_to(token_param, 'UTF8'))
      and token_type = 'address_disowning' and link_expires_at > now()
    returning user_id, relates_to into disowned;
  if not found then
    return false;
  end if;
  update auth.users
    set email = null, raw_user_meta_data = raw_user_meta_data - 'email'
    where id = disowned.user_id and email = disowned.relates_to and email_confirmed_at is null;
  if not found then
    return false;
  end if;
  update auth.identities
    set identity_data = identity_data - 'email', updated_at = now()
    where user_id = disowned.user_id and provider = 'email';
  delete from auth.one_time_tokens where user_id = disowned.user_id and relates_to = disowned.relates_to;
  delete from internal.unproved_notices where user_id = disowned.user_id;
  return true;
end
$$;
grant create on schema public to service_role;
alter function public.disown_address(text) owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.disown_address(text) to anon, authenticated, service_role;
