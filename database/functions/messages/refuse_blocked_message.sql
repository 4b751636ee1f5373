-- Triggers, so that no path that writes a message or begins a conversation can miss a block. After the insertion: a retry of
-- a message that is stored already inserts nothing, and is confirmed as before.
create or replace function internal.refuse_blocked_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (select from public.conversations where id = new.conversation_id and blocked_at is not null) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$$;
