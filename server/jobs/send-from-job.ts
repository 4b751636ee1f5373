import type { Delivery, Email } from '#server/delivery/delivery.ts';
import { MailNotTaken } from '#server/delivery/smtp-delivery.ts';

/**
 * Sends an email from a job. A failed job is retried.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function sendFromJob({ delivery }: { readonly delivery: Delivery }, email: Email): Promise<void> {
  try {
    await delivery.sendEmail(email);
  } catch (error) {
    throw new Error(
      error instanceof MailNotTaken ? error.message : 'The email could not be handed to the mail server.',
    );
  }
}
