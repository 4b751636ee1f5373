import { type MessageLocation, mapLink } from '#domain/contact/message-details.ts';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import type { OwnerLettersWords, TapsWords } from '#domain/words/compiled/types.ts';
import type { MailContent, MailPart } from './compose-mail.ts';
import { itemInSentence } from './item-in-sentence.ts';

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
  /** Of the desk at which it was handed in: what to know to collect it. */
  readonly desk?: readonly string[];
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

/** The parameters of an email about several unread messages. */
export interface MessageDigest {
  readonly productName: string;
  readonly itemName: string;
  /** How many are unread. */
  readonly count: number;
  /** The item's page, where the owner reads them. */
  readonly link: string;
}

/** Emails to owners about the messages of finders. They contain no name and no address of either person. */
export function messageNotices(words: OwnerLettersWords, { taps }: TapsWords) {
  const { notice, digest, reminder, unproved, addressProof, mail } = words;
  return {
    messageNotice: ({
      productName,
      itemName,
      hasReply,
      body,
      location,
      desk = [],
      link,
    }: MessageNotice): MailContent => {
      const item = itemInSentence(words, itemName);
      return {
        subject: hasReply ? notice.newMessage(item) : notice.found(item),
        heading: hasReply ? notice.wrote(item) : notice.foundAndWrote(item),
        parts: [
          { kind: 'quote', text: body },
          ...(location === null
            ? []
            : ([{ kind: 'link', label: taps.showOnMap, url: mapLink(location) }] satisfies MailPart[])),
          ...desk.map((text): MailPart => ({ kind: 'text', text })),
          { kind: 'action', label: notice.reply(productName), url: link },
          { kind: 'text', text: notice.private },
          { kind: 'aside', text: notice.aside },
        ],
      };
    },

    /** About the messages of a day that were not mailed one by one. It contains no text of the messages. */
    messageDigest: ({ productName, itemName, count, link }: MessageDigest): MailContent => {
      const subject = digest.subject({ count, item: itemInSentence(words, itemName) });
      return {
        subject,
        heading: subject,
        parts: [
          { kind: 'text', text: digest.text },
          { kind: 'action', label: digest.action(productName), url: link },
        ],
      };
    },

    /** About messages that stay unseen for a day. It contains no text of the messages. */
    messageReminder: ({ productName, itemName, count, link }: MessageDigest): MailContent => {
      const item = itemInSentence(words, itemName);
      return {
        subject: reminder.subject(item),
        heading: reminder.heading(count),
        parts: [
          { kind: 'text', text: reminder.text({ count, item }) },
          { kind: 'action', label: notice.reply(productName), url: link },
          { kind: 'aside', text: reminder.aside },
        ],
      };
    },

    /**
     * To an unproved address. The account may belong to a stranger, who chose its names and can send messages to it, so the
     * mail contains no user-written text.
     */
    unprovedNotice: ({ productName, link, proveUrl, disownUrl, isLast }: UnprovedNotice): MailContent => ({
      subject: unproved.subject,
      heading: unproved.subject,
      parts: [
        { kind: 'text', text: unproved.text(productName) },
        { kind: 'action', label: unproved.action, url: link },
        { kind: 'text', text: isLast ? unproved.last : unproved.until(UNPROVED_NOTICES) },
        { kind: 'link', label: mail.confirmation.action, url: proveUrl },
        { kind: 'link', label: addressProof.disown, url: disownUrl },
      ],
    }),
  };
}
