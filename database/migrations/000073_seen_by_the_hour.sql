-- kind: compatible
-- What only the owner's own visit causes, "seen" and "delivered" to a screen, appears to the finder at a full hour. And the
-- messages of a muted conversation are delivered like all others.

alter table public.conversations add column shown_until timestamptz, add column shown_at timestamptz;
comment on column public.conversations.delivered_until is 'When the newest of the finder''s messages of which a notice has left was written.';
comment on column public.conversations.shown_until is 'When the newest of the finder''s messages that a screen of the owner''s has counted was written.';
comment on column public.conversations.shown_at is 'When it has counted that one.';

create function internal.disclosed_at(happened_at_param timestamptz, written_at_param timestamptz) returns timestamptz
  language sql stable
  set search_path = ''
  as $$
    select greatest(
        date_trunc('hour', happened_at_param, 'UTC'),
        -- A message that is younger than an hour would tell the minutes in which it was read.
        date_trunc('hour', written_at_param, 'UTC') + interval '1 hour'
      ) + interval '1 hour'
  $$;
comment on function internal.disclosed_at(timestamptz, timestamptz) is
  'When a finder learns what the owner did with a message: the first full hour afterwards at which the message is an hour old.';

create or replace function internal.progress_of_conversation(conversation_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'state', case
          when seen.is_disclosed and owner.seen_shown then 'seen'
          when conversation.contacted_at >= latest.created_at then 'contacted'
          when seen.is_disclosed or shown.is_disclosed or conversation.delivered_until >= latest.created_at then 'delivered'
          else 'sent'
        end,
        'seen_at', case when seen.is_disclosed and owner.seen_shown then seen.disclosed_at - interval '1 hour' end
      )
      from (
        select * from public.messages
          where conversation_id = conversation_id_param order by created_at desc, id desc limit 1
      ) as latest
      join public.conversations as conversation on conversation.id = latest.conversation_id
      left join public.profiles as owner on owner.id = conversation.owner_id
      cross join lateral (
        select disclosed_at, disclosed_at <= now() as is_disclosed
          from internal.disclosed_at(latest.read_at, latest.created_at) as disclosed_at
          where latest.read_at is not null
        union all
        select null, false where latest.read_at is null
      ) as seen
      cross join lateral (
        select coalesce(
            conversation.shown_until >= latest.created_at
              and internal.disclosed_at(conversation.shown_at, latest.created_at) <= now(),
            false
          ) as is_disclosed
      ) as shown
      where latest.sender = 'finder' and conversation.returned_at is null
  $$;

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

-- The job of a muted conversation sends nothing. It marks the message as delivered when the email would have left.
drop trigger messages_enqueue_notice on public.messages;
create trigger messages_enqueue_notice after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.enqueue_message_notice();

grant create on schema internal to service_role;
alter function internal.disclosed_at(timestamptz, timestamptz) owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.disclosed_at(timestamptz, timestamptz) to service_role;
