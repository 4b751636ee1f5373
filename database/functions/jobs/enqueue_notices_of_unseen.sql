-- Enqueues the notices of conversations with unseen messages, the newest ones first. After a change of one item, which
-- is marking it as lost, they come no sooner than in five minutes, and one that waits already is put off. The job of
-- each decides whether it is sent, and finds that the item is not lost where that was undone; beyond the contact's
-- limit, a digest has the rest.
create or replace function internal.enqueue_notices_of_unseen(contact_id_param uuid, item_id_param uuid default null) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_conversations constant integer := 20;
  is_of_one_item constant boolean := item_id_param is not null;
  soonest constant timestamptz := now() + case when is_of_one_item then interval '5 minutes' else interval '0' end;
begin
  perform internal.enqueue_contact_notice(
      contact_id_param, waiting.conversation_id, greatest(soonest, waiting.since + interval '1 hour'),
      case when is_of_one_item then 'replace' else 'preserve_run_at' end
    )
    from (
      select message.conversation_id, min(message.created_at) as since
        from public.second_contacts as contact
        join public.messages as message
          on message.owner_id = contact.owner_id and message.sender = 'finder' and message.read_at is null
            and message.item_id = coalesce(item_id_param, message.item_id)
        join public.items as item
          on item.id = message.item_id and item.given_at is null and (contact.for_all or item.lost_at is not null)
        join public.conversations as conversation
          on conversation.id = message.conversation_id and conversation.returned_at is null
        where contact.id = contact_id_param and contact.agreed_at is not null and contact.left_at is null
          and not internal.is_muted(message.conversation_id)
          and not exists (
            select from public.messages as reply
              where reply.conversation_id = message.conversation_id and reply.sender = 'owner'
                and reply.created_at >= message.created_at
          )
        group by message.conversation_id
        order by max(message.created_at) desc
        limit most_conversations
    ) as waiting;
end
$$;
