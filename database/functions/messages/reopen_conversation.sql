-- Whoever writes again has something to say about the item, so the conversation is open again, and the finder waits for a reply.
create or replace function internal.reopen_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set
      returned_at = null,
      newest_at = greatest(newest_at, new.created_at),
      waits_since = coalesce(waits_since, new.created_at)
    where id = new.conversation_id;
  return null;
end
$$;
