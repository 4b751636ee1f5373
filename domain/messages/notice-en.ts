import { type MailContent, oneLine } from './compose-mail.ts';

/** What an owner is told of a finder's message. */
export interface MessageNotice {
  readonly productName: string;
  readonly itemName: string;
  /** As the finder wrote it: data, never markup. */
  readonly body: string;
  /** The item's page, where the owner reads it. */
  readonly link: string;
}

/** What an address that its reader has not confirmed is told of a message. */
export interface UnprovedNotice {
  readonly productName: string;
  /** Where an owner signs in and reads the message. It holds no tag code, which an owner may have chosen. */
  readonly link: string;
  readonly proveUrl: string;
  readonly disownUrl: string;
  /** No more notices go there until the address is confirmed. */
  readonly isLast: boolean;
}

/** The e-mail that carries a finder's message to an owner, in English. It names nobody and holds nobody's address. */
export function messageNoticeEn({ productName, itemName, body, link }: MessageNotice): MailContent {
  const item = oneLine(itemName);
  return {
    subject: `Somebody found your ${item}`,
    heading: `Somebody found your ${item} and wrote:`,
    parts: [
      { kind: 'quote', text: body },
      { kind: 'action', label: `Read and answer it on ${productName}`, url: link },
      { kind: 'text', text: 'Neither of you sees the other’s address.' },
      {
        kind: 'aside',
        text: 'The words above are the finder’s own. Be careful with links in them, and never send money in advance.',
      },
    ],
  };
}

/**
 * The same for an address that its reader has not confirmed. The account may be a stranger's, who chose the names in it
 * and can write to it: the mail holds no text that a person typed.
 */
export function unprovedNoticeEn({ productName, link, proveUrl, disownUrl, isLast }: UnprovedNotice): MailContent {
  return {
    subject: 'Someone found an item of yours',
    heading: 'Someone found an item of yours',
    parts: [
      { kind: 'text', text: `There is a new message in your ${productName} account.` },
      { kind: 'action', label: 'Sign in and read it', url: link },
      {
        kind: 'text',
        text: isLast
          ? 'This is the last notice to this address until you confirm it. Messages wait for you in your account all the same.'
          : 'This address is not confirmed yet, so the message itself stays in your account. After three notices we stop writing here until you confirm it.',
      },
      { kind: 'link', label: 'Yes, this address is mine', url: proveUrl },
      { kind: 'link', label: 'This is not me: take my address off', url: disownUrl },
    ],
  };
}
