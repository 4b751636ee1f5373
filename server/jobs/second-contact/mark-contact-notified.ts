import type { Database } from '#server/postgres/database.ts';

/** Stores that a second contact was notified of conversations to which they have links. Their finders read it from now on. */
export async function markContactNotified(
  database: Pick<Database, 'asService'>,
  contactId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await database.asService({
    name: 'second_contact_notified',
    text: `with held as (
        -- In one order, as the owner's screens do.
        select id from public.conversations where id = any ($2) order by id for no key update
      ), link as (
        update internal.contact_links set notified_at = now() where contact_id = $1 and conversation_id = any ($2)
      )
      update public.conversations as conversation set contacted_at = now() from held where held.id = conversation.id`,
    values: [contactId, conversationIds],
  });
}
