import type { Language } from '#domain/language.ts';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { mayBeTexted } from '#server/delivery/sms/may-be-texted.ts';
import { rangeOf } from '#server/delivery/sms/number-range.ts';
import { sendFromJob, sendSmsFromJob } from '#server/jobs/sending/send-from-job.ts';
import { sendUninvited, type UninvitedNeeds } from '#server/jobs/sending/send-uninvited.ts';
import { type LimitName, smsBudget } from '#server/limits/limits.ts';
import { type Counter, takeAll } from '#server/limits/rate-limits.ts';

/** A second contact has one of the two. */
export interface ContactAddress {
  readonly email: string | null;
  /** E.164 with the plus. */
  readonly phone: string | null;
}

interface ContactMessage {
  readonly purpose: 'invitation' | 'notice';
  /** That of the texts. */
  readonly language: Pick<Language, 'tag' | 'direction'>;
  readonly letter: MailContent;
  /** The SMS instead, for a contact with a number. */
  readonly text: string;
  readonly key: string;
}

/**
 * Sends a message to a second contact, by email or SMS. Returns whether it was sent: the operator may send no SMS
 * to the number, and an invitation is one of the few emails or SMS a day to a person who did not ask for them.
 *
 * @throws an error without address and text, also where the limits of SMS are used up: it is stored with the job and logged.
 */
export async function sendToContact(
  needs: UninvitedNeeds,
  { email, phone }: ContactAddress,
  { purpose, language, letter, text, key }: ContactMessage,
): Promise<boolean> {
  const { delivery, config, sent, limits } = needs;
  if (email !== null && purpose === 'invitation') {
    return sendUninvited(needs, { to: email, content: letter, language, key });
  }
  if (email !== null) {
    await sendFromJob({ delivery }, { to: email, ...composeMail(letter, config.productName, language), key });
    return true;
  }
  if (phone === null || !delivery.hasSms || config.testPhoneNumbers.has(phone)) return false;
  if (!mayBeTexted(phone, config.smsCountries)) return false;
  if (await sent.has(key)) return true;
  // Silently: the sender must not learn that others wrote to the same number.
  const ofNumber = ['messages_to_unproved_recipient', phone] as const;
  if (purpose === 'invitation' && !(await limits.peek(ofNumber)).allowed) return false;
  const { retryAfterSeconds, giveBack } = await takeAll(limits, smsCounters(phone, purpose));
  if (retryAfterSeconds !== null) throw new Error(`The limit of SMS to second contacts (${purpose}s) is used up.`);
  try {
    await sendSmsFromJob({ delivery }, { to: phone, text, key });
  } catch (error) {
    await giveBack();
    throw error;
  }
  await sent.add(key);
  return true;
}

/**
 * Fraudsters who are paid for each SMS would invite adjacent numbers, or agree with numbers of their own. Notices are counted
 * apart, so that invitations of strangers cannot keep one back.
 */
function smsCounters(phone: string, purpose: ContactMessage['purpose']): readonly Counter<LimitName>[] {
  const range = rangeOf(phone);
  return purpose === 'invitation'
    ? [
        ['messages_to_unproved_recipient', phone],
        ['contact_sms_per_number_range', range],
        ...smsBudget({ isProved: false }),
      ]
    : [['contact_sms_per_number_range', `${range} notices`], ...smsBudget({ isProved: true })];
}
