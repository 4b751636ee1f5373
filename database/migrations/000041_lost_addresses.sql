-- kind: compatible
-- An account that loses the address it claims, and has no number of its own, still signs in with both its password and that
-- address (docs/decisions/0061-a-lost-address-still-names-its-account.md).

alter table auth.users add column lost_email_hash bytea;
create index users_lost_email on auth.users (lost_email_hash) where lost_email_hash is not null;
comment on column auth.users.lost_email_hash is
  'SHA-256 of the address that the account claimed until another account proved it, or its reader disowned it. It names the account at a sign-in by password while the account has no address and no number of its own.';

create function internal.forget_lost_email() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.lost_email_hash := null;
  return new;
end
$$;
create trigger users_forget_lost_email before update of email, phone, deleted_at on auth.users
  for each row when (
    new.lost_email_hash is not null and (new.email is not null or new.phone is not null or new.deleted_at is not null)
  ) execute function internal.forget_lost_email();

create or replace function public.disown_address(token_param text)
  returns boolean
  language plpgsql
  security definer
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
    set claimed_email = null, lost_email_hash = case when phone is null then sha256(convert_to(claimed_email, 'UTF8')) end,
      raw_user_meta_data = raw_user_meta_data - 'email'
    where id = disowned.user_id and claimed_email = disowned.relates_to;
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
