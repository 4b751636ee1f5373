-- Of the replies since the finder has last looked, one is announced. Any message keeps the finder's address for longer.
create or replace function internal.note_message_for_finder() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  update internal.finder_addresses set
      expires_at = case when proved_at is null then expires_at else now() + interval '90 days' end,
      reply_id = case when new.sender = 'owner' then coalesce(reply_id, new.id) else reply_id end
    where conversation_id = new.conversation_id and expires_at >= now()
    returning * into kept;
  -- Also where an earlier reply could not be announced, such as behind a code that was void. A notice that waits is not doubled.
  if new.sender = 'owner' and kept.reply_id is not null and kept.notified_at is null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(new.conversation_id);
  end if;
  return null;
end
$$;
