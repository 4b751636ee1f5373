import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { makeContactLink } from '#server/conversations/contact-links.ts';
import { mayBeTexted } from '#server/delivery/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import { takeAll } from '#server/limits/take-all.ts';
import { sendFromJob, sendSmsFromJob } from '../send-from-job.ts';

/** The payload of jobs queued by `internal.enqueue_contact_invitation`. */
export const contactInvitationPayload = v.object({ contact_id: v.pipe(v.string(), v.uuid()) });

type Needs = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

interface Invited {
  readonly email: string | null;
  /** E.164 with the plus. */
  readonly phone: string | null;
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
  const { database, config, delivery, sent } = needs;
  const { rows } = await database.asService<Invited>({
    name: 'second_contact_to_invite',
    text: `select contact.email, contact.phone, internal.first_name(profile.full_name) as owner_first_name
      from public.second_contacts as contact
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      where contact.id = $1 and contact.agreed_at is null and contact.left_at is null`,
    values: [contactId],
  });
  const [invited] = rows;
  if (invited === undefined) return;
  const { productName: product, defaultLanguage } = config;
  const words = {
    product,
    owner: invited.owner_first_name,
    link: await makeContactLink(needs, { contactId, conversationId: null }),
  };
  const key = `contact-invitation:${contactId}`;
  const texts = letterTexts(defaultLanguage);
  if (invited.email !== null) {
    const letter = composeMail(texts.secondContact.invitation(words), product, defaultLanguage);
    return sendFromJob({ delivery }, { to: invited.email, ...letter, key });
  }
  if (invited.phone === null || !delivery.hasSms || sent?.has(key) === true) return;
  if (config.testPhoneNumbers.has(invited.phone) || !mayBeTexted(invited.phone, config.smsCountries)) return;
  const { retryAfterSeconds, giveBack } = await takeAll(needs.limits, smsCounters(invited.phone));
  if (retryAfterSeconds !== null) throw new Error('The limit of SMS with invitations is used up.');
  try {
    await sendSmsFromJob({ delivery }, { to: invited.phone, text: texts.sms.contactInvitation(words), key });
  } catch (error) {
    await giveBack();
    throw error;
  }
  sent?.add(key);
}

/** Nobody has proved the number: fraudsters who are paid for each SMS would invite adjacent ones. */
function smsCounters(phone: string): readonly Counter<LimitName>[] {
  return [
    ['contact_sms_per_number_range', phone.slice(0, -4)],
    ['contact_sms_from_everywhere', 'all'],
  ];
}
