import { type MessageLocation, mapLink } from '#domain/contact/message-details.ts';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { en } from '../en.ts';
import { type MailContent, type MailPart, oneLine } from './compose-mail.ts';

/** The parameters of an email about a finder's message. */
export interface MessageNotice {
  readonly productName: string;
  readonly itemName: string;
  /** Whether the owner has already replied to this finder. */
  readonly hasReply: boolean;
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
 * Names an item to its owner, inside a sentence: "your keys" for one with its type's name, "your item" for one without a
 * name of its own, otherwise the owner's text in quotation marks.
 *
 * @example yourItem('House keys') // '“House keys”'
 */
export function yourItem(itemName: string): string {
  const noun = itemName === '' || isUnnamed(itemName) ? 'item' : typeInSentence(itemName);
  return noun === null ? quotedName(itemName) : `your ${noun}`;
}

/** Returns the name of a type as it is written inside a sentence; null for a name that is none. */
export function typeInSentence(itemName: string): string | null {
  const { airpods, ...types } = en.itemTypes;
  if (itemName === airpods) return itemName;
  return Object.values<string>(types).includes(itemName) ? itemName.toLowerCase() : null;
}

/** A name that a person gave, in quotation marks, so that any name can stand in any sentence. */
export function quotedName(name: string): string {
  return `“${isolateName(oneLine(name))}”`;
}

/** The email with a finder's message, in English. It contains no name and no address of either person. */
export function messageNoticeEn({ productName, itemName, hasReply, body, location, link }: MessageNotice): MailContent {
  const item = yourItem(itemName);
  return {
    subject: hasReply ? `New message about ${item}` : `Someone found ${item}`,
    heading: hasReply ? `The finder wrote about ${item}:` : `Someone found ${item} and wrote:`,
    parts: [
      { kind: 'quote', text: body },
      ...(location === null
        ? []
        : ([{ kind: 'link', label: en.taps.showOnMap, url: mapLink(location) }] satisfies MailPart[])),
      { kind: 'action', label: `Read and reply on ${productName}`, url: link },
      { kind: 'text', text: 'Neither of you sees the other’s contact details.' },
      {
        kind: 'aside',
        text: 'A stranger wrote the message above. Be careful with links, and never send money in advance.',
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
  const item = yourItem(itemName);
  const messages = count === 1 ? '1 unread message' : `${count} unread messages`;
  return {
    subject: `${messages} about ${item}`,
    heading: `${messages} about ${item}`,
    parts: [
      { kind: 'text', text: 'When many messages come in one day, we send one email for the rest.' },
      { kind: 'action', label: `Read them on ${productName}`, url: link },
    ],
  };
}

/** The email about messages that stay unseen for a day. It contains no text of the messages. */
export function messageReminderEn({ productName, itemName, count, link }: MessageDigest): MailContent {
  const item = yourItem(itemName);
  return {
    subject: `Reminder: someone wrote about ${item}`,
    heading: count === 1 ? 'A message is still waiting for you' : `${count} messages are still waiting for you`,
    parts: [
      {
        kind: 'text',
        text:
          count === 1
            ? `You haven’t seen the message about ${item} yet. The finder may be waiting for your reply.`
            : `You haven’t seen the messages about ${item} yet. The finder may be waiting for your reply.`,
      },
      { kind: 'action', label: `Read and reply on ${productName}`, url: link },
      { kind: 'aside', text: 'We send only one reminder. You can turn reminders off in your profile.' },
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
      { kind: 'text', text: `You have a new message in your ${productName} account.` },
      { kind: 'action', label: 'Sign in and read it', url: link },
      {
        kind: 'text',
        text: isLast
          ? 'This is the last of these emails until you confirm your email. You can still read new messages in your account.'
          : `You haven’t confirmed this email yet, so we don’t show the message here. Until you do, we’ll email you about only ${UNPROVED_NOTICES} conversations.`,
      },
      { kind: 'link', label: 'Confirm my email', url: proveUrl },
      { kind: 'link', label: 'This isn’t me. Remove my email', url: disownUrl },
    ],
  };
}
