import { type MessageLocation, mapLink } from '#domain/contact/message-details.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { en } from '../en.ts';
import { type MailContent, type MailPart, oneLine } from './compose-mail.ts';

/** The parameters of an email about a finder's message. */
export interface MessageNotice {
  readonly productName: string;
  readonly itemName: string;
  /** As the finder wrote it; never interpreted as markup. */
  readonly body: string;
  /** Where the finder says it is. */
  readonly location: MessageLocation | null;
  /** The item's page, where the owner reads it. */
  readonly link: string;
}

/** The parameters of a notice to an unproved address. */
export interface UnprovedNotice {
  readonly productName: string;
  /** Where the owner signs in and reads the message. It contains no tag code, which an owner may have chosen. */
  readonly link: string;
  readonly proveUrl: string;
  readonly disownUrl: string;
  /** Whether it is the last notice until the address is confirmed. */
  readonly isLast: boolean;
}

/**
 * Returns an item's name for use after "your": a type's name in lower case, "item" for one with the default name,
 * otherwise the owner's text.
 */
export function inSentence(itemName: string): string {
  if (isUnnamed(itemName)) return 'item';
  const { airpods: _brand, ...types } = en.itemTypes;
  return Object.values<string>(types).includes(itemName) ? itemName.toLowerCase() : isolateName(oneLine(itemName));
}

/** The email with a finder's message, in English. It contains no name and no address of either person. */
export function messageNoticeEn({ productName, itemName, body, location, link }: MessageNotice): MailContent {
  const item = inSentence(itemName);
  return {
    subject: `Someone found your ${item}`,
    heading: `Someone found your ${item} and wrote:`,
    parts: [
      { kind: 'quote', text: body },
      ...(location === null
        ? []
        : ([{ kind: 'link', label: en.taps.showOnMap, url: mapLink(location) }] satisfies MailPart[])),
      { kind: 'action', label: `Read and reply on ${productName}`, url: link },
      { kind: 'text', text: 'Neither of you sees the other’s contact details.' },
      {
        kind: 'aside',
        text: 'The finder wrote the words above. Be careful with links, and never send money in advance.',
      },
    ],
  };
}

/** The parameters of an email about several unread messages. */
export interface MessageDigest {
  readonly productName: string;
  readonly itemName: string;
  /** How many are unread. */
  readonly count: number;
  /** The item's page, where the owner reads them. */
  readonly link: string;
}

/** The email about the messages of a day that were not mailed one by one. It contains no text of the messages. */
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

/** The email about messages that stay unseen for a day. It contains no text of the messages. */
export function messageReminderEn({ productName, itemName, count, link }: MessageDigest): MailContent {
  const item = inSentence(itemName);
  return {
    subject: `Reminder: someone wrote about your ${item}`,
    heading: count === 1 ? 'A message is still waiting for you' : `${count} messages are still waiting for you`,
    parts: [
      { kind: 'text', text: `Someone wrote about your ${item}, and you haven’t seen it yet. They may still have it.` },
      { kind: 'action', label: `Read and reply on ${productName}`, url: link },
      { kind: 'aside', text: 'We remind you once. You can turn reminders off in your profile.' },
    ],
  };
}

/**
 * The notice to an unproved address. The account may belong to a stranger, who chose its names and can send messages to
 * it, so the mail contains no user-written text.
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
