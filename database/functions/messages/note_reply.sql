create or replace function internal.note_reply() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set replied_at = new.created_at where id = new.conversation_id and replied_at is null;
  return null;
end
$$;

alter function internal.note_reply() owner to service_role;
