create or replace function internal.note_reply() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set
      replied_at = coalesce(replied_at, new.created_at),
      newest_at = greatest(newest_at, new.created_at),
      waits_since = null
    where id = new.conversation_id;
  return null;
end
$$;
