-- kind: breaking
-- Each browser's registration of an address waits as an account of its own
-- (docs/decisions/0058-each-browser-has-its-own-registration.md).

-- Registrations of several browsers shared an account until now. Which of them entered what it holds is not known, so none
-- of it is kept. Its code still confirms it, and its owner chooses a name and a password.
create temporary table mixed_registrations on commit drop as
  select id, registration_phone from auth.users
    where registrations > 1 and confirmed_at is null and deleted_at is null and not is_anonymous;
update public.profiles as profile set full_name = null, phone = mixed.registration_phone
  from mixed_registrations as mixed where profile.id = mixed.id;
update auth.identities as identity
  set identity_data = jsonb_strip_nulls(jsonb_build_object(
      'sub', identity.identity_data -> 'sub', 'email', identity.identity_data -> 'email',
      'email_verified', identity.identity_data -> 'email_verified',
      'phone_verified', identity.identity_data -> 'phone_verified', 'phone', mixed.registration_phone
    ))
  from mixed_registrations as mixed where identity.user_id = mixed.id and identity.provider = 'email';
update auth.users as account set
    raw_app_meta_data = case
      when account.encrypted_password is null then account.raw_app_meta_data
      else account.raw_app_meta_data || '{"password_needed": true}'
    end,
    encrypted_password = null,
    raw_user_meta_data = jsonb_strip_nulls(jsonb_build_object(
      'sub', account.raw_user_meta_data -> 'sub', 'email', account.raw_user_meta_data -> 'email',
      'email_verified', account.raw_user_meta_data -> 'email_verified',
      'phone_verified', account.raw_user_meta_data -> 'phone_verified', 'phone', mixed.registration_phone
    )),
    registered_on = null
  from mixed_registrations as mixed where account.id = mixed.id;

comment on column auth.users.registrations is
  'How many registrations one browser, or the operator, made before one was confirmed. Each replaced the one before.';
comment on column auth.users.registered_on is
  'SHA-256 of the device cookie of the browser that registered; empty where an operator did. Each browser has one pending registration for each recipient of an address.';
