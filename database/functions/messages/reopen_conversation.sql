-- Whoever writes again has something to say about the item, so the conversation is open again.
create or replace function internal.reopen_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set returned_at = null where id = new.conversation_id and returned_at is not null;
  return null;
end
$$;

alter function internal.reopen_conversation() owner to service_role;
