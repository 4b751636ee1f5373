import type { Delivery, Email } from '#server/delivery/delivery.ts';
import { MailNotTaken } from '#server/delivery/smtp-delivery.ts';

/**
 * Sends an e-mail from a job. One that is not accepted is tried again.
 * @throws an error that names no address and no text: it is kept with the job, and logged.
 */
export async function sendFromJob({ delivery }: { readonly delivery: Delivery }, email: Email): Promise<void> {
  try {
    await delivery.sendEmail(email);
  } catch (error) {
    throw new Error(error instanceof MailNotTaken ? error.message : 'The e-mail could not be handed over.');
  }
}
