create or replace function internal.audit_second_contact() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.make_lasting_change('second_contact_invited', new.owner_id, coalesce(new.email, new.phone));
  elsif tg_op = 'DELETE' then
    perform internal.make_lasting_change('second_contact_removed', old.owner_id, coalesce(old.email, old.phone));
  elsif old.agreed_at is null and new.agreed_at is not null then
    perform internal.record_event('second_contact_agreed', new.owner_id);
  elsif old.left_at is null and new.left_at is not null then
    perform internal.record_event('second_contact_left', new.owner_id);
  elsif old.for_all is distinct from new.for_all then
    perform internal.make_lasting_change(
      case when new.for_all then 'second_contact_widened' else 'second_contact_narrowed' end, new.owner_id,
      coalesce(new.email, new.phone)
    );
  end if;
  return null;
end
$$;
