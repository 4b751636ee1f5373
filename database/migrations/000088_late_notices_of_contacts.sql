-- kind: compatible
-- A second contact learns of messages that were unseen before the item was marked as lost, before the contact agreed, or
-- before the owner chose all items.

-- Queues the notices of conversations with unseen messages, the newest ones first. The job of each decides whether it is sent;
-- beyond the contact's limit, a digest has the rest.
create function internal.enqueue_notices_of_unseen(contact_id_param uuid, item_id_param uuid default null) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_conversations constant integer := 20;
begin
  perform internal.enqueue_contact_notice(
      contact_id_param, waiting.conversation_id, greatest(now(), waiting.since + interval '1 hour')
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
grant execute on function internal.enqueue_notices_of_unseen(uuid, uuid) to service_role;

create function internal.enqueue_notices_of_lost_item() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notices_of_unseen(contact.id, new.id)
    from public.second_contacts as contact
    where contact.owner_id = new.user_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$$;

create function internal.enqueue_notices_of_new_contact() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notices_of_unseen(new.id);
  return null;
end
$$;

-- They read as the service does, whoever caused the change.
grant create on schema internal to service_role;
alter function internal.enqueue_notices_of_lost_item() owner to service_role;
alter function internal.enqueue_notices_of_new_contact() owner to service_role;
revoke create on schema internal from service_role;

create trigger items_enqueue_contact_notices
  after update of lost_at on public.items
  for each row when (old.lost_at is null and new.lost_at is not null)
  execute function internal.enqueue_notices_of_lost_item();

create trigger second_contacts_enqueue_notices
  after update of agreed_at, for_all on public.second_contacts
  for each row when (
    new.agreed_at is not null and new.left_at is null and (old.agreed_at is null or new.for_all and not old.for_all)
  )
  execute function internal.enqueue_notices_of_new_contact();
