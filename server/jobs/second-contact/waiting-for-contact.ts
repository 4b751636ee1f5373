import { UNSEEN_MESSAGES } from '#server/jobs/owner/unseen/unseen-messages.ts';

/** How long messages stay unseen before a second contact is notified, in minutes. */
export const UNSEEN_MINUTES = 60;
/** How long after an SMS to the owner, which an outage may have delayed, in minutes. */
export const AFTER_SMS_MINUTES = 45;

/**
 * SQL: the conversations of which a second `contact` may be notified, with their `item`, `account`, `profile`, `link`, and
 * `unseen` messages: of items that are marked as lost, or of all if the owner chose that. None where the owner has seen or
 * replied, the messages were deleted, the item was returned or given away, the conversation was muted or blocked, the contact
 * has left, or was notified since.
 */
export const WAITING_FOR_CONTACT = `public.second_contacts as contact
      join public.conversations as conversation
        on conversation.owner_id = contact.owner_id and conversation.returned_at is null
      join public.items as item on item.id = conversation.item_id and item.given_at is null
        and (contact.for_all or item.lost_at is not null)
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      left join internal.contact_links as link
        on link.contact_id = contact.id and link.conversation_id = conversation.id
      join ${UNSEEN_MESSAGES} on true
      where contact.agreed_at is not null and contact.left_at is null and not internal.is_muted(conversation.id)
        and (link.notified_at is null or link.notified_at < unseen.since)`;

/** SQL: in how many seconds the quiet hours of `contact` end; 0 outside of them. */
export const QUIET_FOR = `coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          contact.quiet_from, contact.quiet_to, contact.time_zone, now()) - now())), 0)::integer`;
