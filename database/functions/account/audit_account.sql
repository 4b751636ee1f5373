create or replace function internal.audit_account()
  returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    -- What is kept of a deleted account is no new one.
    if new.deleted_at is null then
      perform internal.record_event('account_created', new.id);
    end if;
    return null;
  elsif tg_op = 'DELETE' then
    perform internal.record_event('account_deleted', old.id);
    return null;
  end if;
  if old.confirmed_at is null and new.registrations > old.registrations then
    perform internal.record_event('registered_again', new.id);
  elsif old.encrypted_password is distinct from new.encrypted_password
      and pg_catalog.current_setting('internal.same_password', true) is distinct from 'on' then
    perform internal.record_event('password_changed', new.id);
  end if;
  if old.email_confirmed_at is null and new.email_confirmed_at is not null then
    perform internal.record_event('email_confirmed', new.id);
  end if;
  if old.phone_confirmed_at is null and new.phone_confirmed_at is not null then
    perform internal.record_event('phone_confirmed', new.id);
  end if;
  if coalesce(old.email, old.claimed_email) is distinct from coalesce(new.email, new.claimed_email) then
    perform internal.record_event(
      case when coalesce(new.email, new.claimed_email) is null then 'email_removed' else 'email_changed' end, new.id
    );
  end if;
  if new.new_email is not null and old.new_email is distinct from new.new_email then
    perform internal.record_event('email_change_requested', new.id);
  end if;
  if old.phone is distinct from new.phone then
    perform internal.record_event(case when new.phone is null then 'phone_removed' else 'phone_changed' end, new.id);
  end if;
  if new.new_phone is not null and old.new_phone is distinct from new.new_phone then
    perform internal.record_event('phone_change_requested', new.id);
  end if;
  if old.recovery_sent_at is distinct from new.recovery_sent_at and new.recovery_sent_at is not null then
    perform internal.record_event('recovery_requested', new.id);
  end if;
  if old.banned_until is distinct from new.banned_until then
    if new.banned_until > pg_catalog.now() then
      perform internal.record_event('banned', new.id, null, pg_catalog.jsonb_build_object('until', new.banned_until));
    else
      perform internal.record_event('ban_lifted', new.id);
    end if;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform internal.record_event('account_deleted', new.id);
  end if;
  if (old.role, old.raw_app_meta_data, old.is_super_admin) is distinct from
      (new.role, new.raw_app_meta_data, new.is_super_admin) then
    perform internal.record_event('privileges_changed', new.id);
  end if;
  return null;
end
$$;
