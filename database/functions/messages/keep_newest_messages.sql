-- Messages beyond the most that an item keeps are deleted: the oldest ones of the oldest conversation that the owner has not
-- replied in, else the oldest of all. Usually that is one for each message that arrives.
create or replace function internal.keep_newest_messages() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_messages constant integer := 50000;
  most_at_once constant integer := 10;
  excess integer;
  source uuid;
begin
  if not exists (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit 1
  ) then
    return null;
  end if;
  -- Senders to a full item take turns, so that each deletes other messages.
  perform pg_advisory_xact_lock(hashtextextended('messages of ' || new.item_id, 0));
  select count(*) into excess from (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit most_at_once
  ) as beyond;
  select id into source from public.conversations as conversation
    where item_id = new.item_id and replied_at is null and id <> new.conversation_id
      and exists (select from public.messages where conversation_id = conversation.id)
    order by created_at limit 1;
  if source is not null then
    -- What another transaction holds is passed over: it may wait for the turn that this one has.
    delete from public.messages where id in (
      select id from public.messages where conversation_id = source order by created_at limit excess
        for update skip locked
    );
    delete from public.conversations where id = (
      select id from public.conversations
        where id = source and not exists (select from public.messages where conversation_id = source)
        for update skip locked
    );
  else
    delete from public.messages where id in (
      select id from public.messages where item_id = new.item_id and id <> new.id order by created_at limit excess
        for update skip locked
    );
  end if;
  return null;
end
$$;
