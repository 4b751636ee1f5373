create or replace function internal.end_pending_changes_with_password() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.end_pending_changes(new.id);
  return null;
end
$$;

alter function internal.end_pending_changes_with_password() owner to service_role;
