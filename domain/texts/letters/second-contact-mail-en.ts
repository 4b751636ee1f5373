import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { en } from '../en.ts';
import { type MailContent, type MailPart, oneLine } from './compose-mail.ts';

interface Invitation {
  readonly product: string;
  /** The owner's first name; null where there is none. */
  readonly owner: string | null;
  /** The contact's own page, where they agree or decline. */
  readonly link: string;
}

interface ContactNotice extends Invitation {
  readonly itemName: string;
  /** The contact's own page, where they leave. */
  readonly leaveLink: string;
}

interface ContactDigest {
  /** The owner's first name; null where there is none. */
  readonly owner: string | null;
  /** How many messages are unseen. */
  readonly count: number;
  readonly links: readonly {
    readonly itemName: string;
    readonly count: number;
    /** The conversation. */
    readonly link: string;
  }[];
  /** How many of the messages have no link here. */
  readonly rest: number;
  /** The contact's own page, where they leave. */
  readonly leaveLink: string;
}

/**
 * The owner in a message to a person who may not know them: a name, or none. Anyone can register under any name, so one that
 * could be a link or an advertisement is left out.
 */
export function nameOfOwner(owner: string | null): string {
  return owner !== null && /^[\p{L}\p{M}'’-]{1,30}$/u.test(owner) ? isolateName(owner) : 'Someone';
}

/** The item in a line of its own. */
function itemOf(itemName: string, owner: string | null): string {
  return isUnnamed(itemName) ? en.finder.somethingOf(nameOfOwner(owner)) : isolateName(oneLine(itemName));
}

/** "something of Dana’s", with the name of the item where it has one. */
function itemInSentence(itemName: string, owner: string | null): string {
  if (isUnnamed(itemName)) return `something of ${nameOfOwner(owner)}’s`;
  return `an item of ${nameOfOwner(owner)}’s (${isolateName(oneLine(itemName))})`;
}

const LEAVE = 'Quiet hours, or no more of these emails';

/** Returns "1 more message", "2 more messages". */
export function moreMessages(count: number): string {
  return count === 1 ? '1 more message' : `${count} more messages`;
}

/** Emails to the second contact of an owner, in English. They contain no word of the finder. */
export const secondContactMailEn = {
  invitation: ({ product, owner, link }: Invitation): MailContent => ({
    subject: `${nameOfOwner(owner)} asks for your help on ${product}`,
    heading: `${nameOfOwner(owner)} would like you as a second contact`,
    parts: [
      {
        kind: 'text',
        text: `${product} brings lost things back. If a finder writes and ${nameOfOwner(owner)} doesn’t see it for an hour, we would tell you, and you could reply. You need no account.`,
      },
      { kind: 'action', label: 'Agree or decline', url: link },
      { kind: 'aside', text: 'If you do nothing, we won’t write again. You can leave at any time.' },
    ],
  }),

  notice: ({ product, owner, itemName, link, leaveLink }: ContactNotice): MailContent => ({
    subject: `A finder wrote to ${nameOfOwner(owner)}`,
    heading: `${nameOfOwner(owner)} hasn’t seen this message yet`,
    parts: [
      {
        kind: 'text',
        text: `Someone wrote about ${itemInSentence(itemName, owner)} more than an hour ago. You can read it and reply.`,
      },
      { kind: 'action', label: `Read and reply on ${product}`, url: link },
      { kind: 'aside', text: 'Don’t forward this email: its links work without a password.' },
      { kind: 'link', label: LEAVE, url: leaveLink },
    ],
  }),

  /** About the messages of a day that were not mailed one by one. */
  digest: ({ owner, count, links, rest, leaveLink }: ContactDigest): MailContent => ({
    subject: `${moreMessages(count)} to ${nameOfOwner(owner)}`,
    heading: `${nameOfOwner(owner)} hasn’t seen ${moreMessages(count)}`,
    parts: [
      {
        kind: 'text',
        text: 'So many came in one day that we put the rest into this one email. You can read them and reply.',
      },
      ...links.map(
        (one): MailPart => ({
          kind: 'link',
          label: `${itemOf(one.itemName, owner)} (${one.count === 1 ? '1 message' : `${one.count} messages`})`,
          url: one.link,
        }),
      ),
      ...(rest > 0
        ? ([
            { kind: 'text', text: `There is no space here for ${rest} of them. They follow tomorrow.` },
          ] satisfies MailPart[])
        : []),
      { kind: 'aside', text: 'Don’t forward this email: its links work without a password.' },
      { kind: 'link', label: LEAVE, url: leaveLink },
    ],
  }),
};
