create or replace function internal.end_pending_changes_with_password() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if pg_catalog.current_setting('internal.same_password', true) is distinct from 'on' then
    perform internal.end_pending_changes(new.id);
  end if;
  return null;
end
$$;
