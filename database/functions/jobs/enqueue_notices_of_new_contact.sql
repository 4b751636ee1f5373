create or replace function internal.enqueue_notices_of_new_contact() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notices_of_unseen(new.id);
  return null;
end
$$;
