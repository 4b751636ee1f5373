import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { FairShares } from '#server/fair-shares.ts';
import type { Delivery } from './delivery.ts';

export interface SmtpDeliveryOptions {
  /** `smtp://` (with STARTTLS where the server offers it) or `smtps://`, credentials included. */
  readonly url: string;
  /** The sender, such as `Reunite <hello@lost.example.org>`. */
  readonly from: string;
  /** Longest wait for a free connection, and for the server's next word, in milliseconds. */
  readonly patienceMs?: number;
}

const CONNECTIONS = 4;

/**
 * A mail that the next server did not take. Its words are the codes of what went wrong, and nothing of the mail or of whom
 * it is for: they are logged. A mail server's own words often repeat the address.
 */
export class MailNotTaken extends Error {
  override name = 'MailNotTaken';
}

/**
 * Sends e-mail over SMTP; resolves once that server has accepted it and throws MailNotTaken otherwise. There is no
 * SMS, so one-time codes go by e-mail.
 */
export function createSmtpDelivery({ url, from, patienceMs = 10_000 }: SmtpDeliveryOptions): Delivery {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      // What a mail says is text; it can never name a file or an address to fetch it from.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Auto-Submitted keeps vacation responders from answering (RFC 3834 section 5).
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  // The library's own queue has no end: where the mail server hangs, whoever wants a code would wait for everybody before.
  const connections = new FairShares({ most: CONNECTIONS, waitMs: patienceMs });
  return {
    hasSms: false,
    async sendEmail({ to, subject, text, html, key }) {
      const mail = {
        // As an object it is one address, whatever characters it has.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        // Tried again after a crash it is the same mail, and mailboxes show it once.
        ...(key !== undefined && { messageId: messageIdOf(key, from) }),
      };
      await connections.take(url)?.catch(() => {
        throw new MailNotTaken('Too many messages wait for the mail server.');
      });
      try {
        await transport.sendMail(mail);
      } catch (error) {
        throw new MailNotTaken(`The mail server did not take the message${codesOf(error)}.`);
      } finally {
        connections.giveBack(url);
      }
    },
    sendSms: () => Promise.reject(new Error('This server has no SMS provider.')),
  };
}

function messageIdOf(key: string, from: string): string {
  const domain = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
}

function codesOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const codes = [
    'code' in error && typeof error.code === 'string' ? error.code : '',
    'responseCode' in error && typeof error.responseCode === 'number' ? String(error.responseCode) : '',
  ].filter((code) => code !== '');
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}
