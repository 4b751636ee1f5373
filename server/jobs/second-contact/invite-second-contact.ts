import * as v from 'valibot';
import { makeContactLink } from '#server/conversations/contact-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { visitorLetters } from '#server/languages/letter-language.ts';
import { type ContactAddress, sendToContact } from './send-to-contact.ts';

/** The payload of jobs queued by `internal.enqueue_contact_invitation`. */
export const contactInvitationPayload = v.object({ contact_id: v.pipe(v.string(), v.uuid()) });

type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

interface Invited extends ContactAddress {
  /** The contact's, else the owner's. */
  readonly language: string | null;
  readonly owner_first_name: string | null;
}

/**
 * Asks a second contact whether they agree, by email or SMS. Sends nothing where the owner removed them, or they have
 * agreed or declined.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function inviteSecondContact(
  needs: Needs,
  { contact_id: contactId }: v.InferOutput<typeof contactInvitationPayload>,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<Invited>({
    name: 'second_contact_to_invite',
    text: `select contact.email, contact.phone, internal.first_name(profile.full_name) as owner_first_name,
        coalesce(contact.language, profile.language) as language
      from public.second_contacts as contact
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      where contact.id = $1 and contact.agreed_at is null and contact.left_at is null`,
    values: [contactId],
  });
  const [invited] = rows;
  if (invited === undefined) return;
  const { productName: product } = config;
  const words = {
    product,
    owner: invited.owner_first_name,
    link: await makeContactLink(needs, { contactId, conversationId: null }),
  };
  const { language, texts } = await visitorLetters(config, invited.language);
  await sendToContact(needs, invited, {
    purpose: 'invitation',
    language,
    letter: texts.secondContact.invitation(words),
    text: texts.sms.contactInvitation(words),
    key: `contact-invitation:${contactId}`,
  });
}
