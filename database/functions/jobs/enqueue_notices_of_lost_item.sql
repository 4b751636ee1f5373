create or replace function internal.enqueue_notices_of_lost_item() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notices_of_unseen(contact.id, new.id)
    from public.second_contacts as contact
    where contact.owner_id = new.user_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$$;
