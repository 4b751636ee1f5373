create or replace function internal.enqueue_contact_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_contact_notice(contact.id, new.conversation_id, now() + interval '1 hour')
    from public.second_contacts as contact
    where contact.owner_id = new.owner_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$$;
