import type { Delivery, Email, Sms } from '#server/delivery/delivery.ts';
import { AddressRefused, MailNotTaken } from '#server/delivery/email/smtp-delivery.ts';
import { NoMailServer } from '#server/delivery/email/without-mail.ts';
import { NumberRefused, SmsNotTaken } from '#server/delivery/sms/sms-sender.ts';
import { JobTakenOver } from '#server/jobs/queue/own-job.ts';

/**
 * Sends an email from a job. A failed job is retried, unless the address is refused for good.
 *
 * @throws an error without address and text: it is stored with the job and logged. AddressRefused and NoMailServer end the job.
 */
export async function sendFromJob({ delivery }: { readonly delivery: Delivery }, email: Email): Promise<void> {
  try {
    await delivery.sendEmail(email);
  } catch (error) {
    if (error instanceof JobTakenOver || error instanceof AddressRefused || error instanceof NoMailServer) throw error;
    throw new Error(
      error instanceof MailNotTaken ? error.message : 'The email could not be handed to the mail server.',
    );
  }
}

/**
 * Sends an SMS from a job. A failed job is retried, also where the provider gave no response.
 *
 * @throws an error without number and text: it is stored with the job and logged. SmsNotTaken or JobTakenOver where it
 *   certainly was not sent; NumberRefused ends the job.
 */
export async function sendSmsFromJob({ delivery }: { readonly delivery: Delivery }, sms: Sms): Promise<void> {
  try {
    await delivery.sendSms(sms);
  } catch (error) {
    if (error instanceof JobTakenOver || error instanceof NumberRefused) throw error;
    if (error instanceof SmsNotTaken) throw new SmsNotTaken(error.message);
    throw new Error('The SMS could not be handed to its provider.');
  }
}
