import type { Language } from '#domain/language.ts';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import { isStopped, stopLink } from '#server/delivery/email/stopped-recipients.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { loadLanguage } from '#server/languages/load-language.ts';
import { sendFromJob } from './send-from-job.ts';

export type UninvitedNeeds = Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'secrets' | 'limits'>;

/** An email that somebody else caused, to an address that they chose. */
export interface UninvitedMail {
  readonly to: string;
  readonly content: MailContent;
  readonly language: Pick<Language, 'tag' | 'direction'>;
  readonly key: string;
  /** A link in the content that stops these emails. Without one it is added. */
  readonly stopUrl?: string;
}

/**
 * Sends an email to a person who may not know us, with a link that ends all of them. Sends nothing to those who pressed it,
 * nor beyond the day's few from all senders together; no sender learns of either. Returns whether it was sent.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendUninvited(needs: UninvitedNeeds, mail: UninvitedMail): Promise<boolean> {
  const { to, content, language, key } = mail;
  if (await needs.sent.has(key)) return true;
  if (await isStopped(needs, to)) return false;
  const counter = ['messages_to_unproved_recipient', to.trim().toLowerCase()] as const;
  // A refusal must not count: an email that is given back makes room for another one.
  if (!(await needs.limits.peek(counter)).allowed || !(await needs.limits.take(...counter)).allowed) return false;
  const stopUrl = mail.stopUrl ?? stopLink(needs, to);
  const { stopAll } = (await loadLanguage(language.tag)).words.letters;
  const parts =
    mail.stopUrl === undefined
      ? [...content.parts, { kind: 'link', label: stopAll, url: stopUrl } as const]
      : content.parts;
  const composed = composeMail({ ...content, parts }, needs.config.productName, language);
  try {
    await sendFromJob(needs, { to, ...composed, key, unsubscribeUrl: stopUrl });
  } catch (error) {
    await needs.limits.giveBack(...counter);
    throw error;
  }
  return true;
}
