import { createHash } from 'node:crypto';
import type { Delivery } from '#server/delivery/delivery.ts';
import { FairQueue, NoTurn } from '#server/limits/fair-queue.ts';

export interface SmtpDeliveryOptions {
  /** `smtp://` (with STARTTLS where the server offers it) or `smtps://`, with credentials. */
  readonly url: string;
  /** The sender, such as `Reunite <hello@lost.example.org>`. */
  readonly from: string;
  /** Timeout for a free connection and for each response of the server, in milliseconds. */
  readonly timeoutMs?: number;
}

const CONNECTIONS = 4;

/**
 * The mail server did not accept a mail. The error contains only codes, and neither content nor recipient, because it
 * is logged. A mail server's own text often repeats the address.
 */
export class MailNotTaken extends Error {
  override name = 'MailNotTaken';
}

/** The mail server says for good that no mail reaches the address. No further attempt would change that. */
export class AddressRefused extends MailNotTaken {
  override name = 'AddressRefused';
}

/**
 * Sends email over SMTP. Resolves once the server has accepted it and throws MailNotTaken otherwise, or
 * AddressRefused. It has no SMS, so
 * one-time codes are sent by email.
 */
export function createSmtpDelivery({ url, from, timeoutMs = 10_000 }: SmtpDeliveryOptions): Delivery {
  let opened: ReturnType<typeof openTransport> | undefined;
  // The library's own queue is unbounded: with a hanging mail server, each code would wait for all mails before it.
  const connections = new FairQueue({ atOnce: CONNECTIONS, waitMs: timeoutMs });
  return {
    hasSms: false,
    async sendEmail({ to, subject, text, html, key, unsubscribeUrl }) {
      const mail = {
        // As an object it is a single address, whatever characters it contains.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        // A retry after a crash is the same mail, which mailboxes show once.
        ...(key !== undefined && { messageId: messageIdOf(key, from) }),
        ...(unsubscribeUrl !== undefined && {
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
      };
      try {
        opened ??= openTransport({ url, from, timeoutMs });
        const transport = await opened;
        await connections.run(null, () => transport.sendMail(mail));
      } catch (error) {
        if (error instanceof NoTurn) throw new MailNotTaken('Too many messages wait for the mail server.');
        const Refusal = isAboutAddress(error) ? AddressRefused : MailNotTaken;
        throw new Refusal(`The mail server did not accept the message${codesOf(error)}.`);
      }
    },
    sendSms: () => Promise.reject(new Error('This server has no SMS provider.')),
  };
}

/** Loads the library with the first mail: it takes memory. */
async function openTransport({ url, from, timeoutMs }: Required<SmtpDeliveryOptions>) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // A mail's content is text and must never be read as a file name or URL to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Keep vacation responders from replying: by RFC 3834, section 5, and as Exchange reads it ([MS-OXCMAIL]).
    { from, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  );
}

function messageIdOf(key: string, from: string): string {
  const domain = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
}

/** Enhanced status codes (RFC 3463) of an address that does not exist, moved, or takes no mail. 5.1.7 and 5.1.8 are the sender's. */
const NO_SUCH_ADDRESS = /^5\d\d[ -]5\.(?:1\.(?:[12346]|10)|2\.1)\b/;
/** The same without such a code, as a reply to the recipient (RFC 5321, section 4.2.3). */
const PLAINLY_REFUSED = /^55[013](?![ -]\d\.\d)/;

/** A full mailbox, a refusal of ours by policy, and everything temporary may be otherwise the next time. */
function isAboutAddress(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const reply = 'response' in error && typeof error.response === 'string' ? error.response : '';
  const isForRecipient = 'command' in error && error.command === 'RCPT TO';
  return NO_SUCH_ADDRESS.test(reply) || (isForRecipient && PLAINLY_REFUSED.test(reply));
}

function codesOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const codes = [
    'code' in error && typeof error.code === 'string' ? error.code : '',
    'responseCode' in error && typeof error.responseCode === 'number' ? String(error.responseCode) : '',
  ].filter((code) => code !== '');
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}
