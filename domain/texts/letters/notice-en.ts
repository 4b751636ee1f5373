import { isUnnamed } from '../item-catalogue.ts';
import { type MailContent, oneLine } from './compose-mail.ts';
import { en } from './en.ts';

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

/**
 * What an item is called after "your": a type by its name in lower case, an item without a name of its own "item", and
 * any other as its owner wrote it.
 */
function inSentence(itemName: string): string {
  if (isUnnamed(itemName)) return 'item';
  const { airpods: _brand, ...types } = en.itemTypes;
  return Object.values<string>(types).includes(itemName) ? itemName.toLowerCase() : oneLine(itemName);
}

/** The email that carries a finder's message to an owner, in English. It holds no name and no address of either. */
export function messageNoticeEn({ productName, itemName, body, link }: MessageNotice): MailContent {
  const item = inSentence(itemName);
  return {
    subject: `Someone found your ${item}`,
    heading: `Someone found your ${item} and wrote:`,
    parts: [
      { kind: 'quote', text: body },
      { kind: 'action', label: `Read and reply on ${productName}`, url: link },
      { kind: 'text', text: 'Neither of you sees the other’s contact details.' },
      {
        kind: 'aside',
        text: 'The finder wrote the words above. Be careful with links, and never send money in advance.',
      },
    ],
  };
}

/** What an owner is told of a day with more messages than there were emails. */
export interface MessageDigest {
  readonly productName: string;
  readonly itemName: string;
  /** How many are unread. */
  readonly count: number;
  /** The item's page, where the owner reads them. */
  readonly link: string;
}

/** The one email about the messages of a day that got none of their own. It holds no word of theirs. */
export function messageDigestEn({ productName, itemName, count, link }: MessageDigest): MailContent {
  const item = inSentence(itemName);
  const messages = count === 1 ? '1 unread message' : `${count} unread messages`;
  return {
    subject: `${messages} about your ${item}`,
    heading: `${messages} about your ${item}`,
    parts: [
      { kind: 'text', text: 'So many came in one day that we put the rest into this one email.' },
      { kind: 'action', label: `Read them on ${productName}`, url: link },
    ],
  };
}

/**
 * The same for an address that its reader has not confirmed. The account may be a stranger's, who chose the names in it
 * and can write to it: the mail holds no text that a person typed.
 */
export function unprovedNoticeEn({ productName, link, proveUrl, disownUrl, isLast }: UnprovedNotice): MailContent {
  return {
    subject: 'Someone found your item',
    heading: 'Someone found your item',
    parts: [
      { kind: 'text', text: `There is a new message in your ${productName} account.` },
      { kind: 'action', label: 'Sign in and read it', url: link },
      {
        kind: 'text',
        text: isLast
          ? 'This is the last of these emails until you confirm your address. New messages still wait for you in your account.'
          : 'You haven’t confirmed this email address yet, so the message itself stays in your account. Until you do, we send you only three of these emails.',
      },
      { kind: 'link', label: 'Confirm my email', url: proveUrl },
      { kind: 'link', label: 'This isn’t me. Remove my email', url: disownUrl },
    ],
  };
}
