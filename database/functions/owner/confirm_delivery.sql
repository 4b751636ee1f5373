-- A screen of the caller's shows that there are unread messages: all of them are delivered.
create or replace function public.confirm_delivery() returns void
  language sql security definer
  set search_path = ''
  as $$
    with arrived as (
      select conversation_id, max(created_at) as until from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by conversation_id
    ), held as (
      -- In one order, because several screens confirm at once.
      select conversation.id, arrived.until from public.conversations as conversation
        join arrived on arrived.conversation_id = conversation.id
        where coalesce(greatest(conversation.delivered_until, conversation.shown_until) < arrived.until, true)
        order by conversation.id for no key update of conversation
    )
    update public.conversations as conversation set shown_until = held.until, shown_at = now()
      from held where conversation.id = held.id
  $$;

grant execute on function public.confirm_delivery() to authenticated;
