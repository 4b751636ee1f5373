import { isolateName } from '#domain/isolate-name.ts';
import { harmlessName } from '#domain/item/first-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { finderEn } from '../finder/finder-en.ts';
import { type MailContent, type MailPart, oneLine } from './compose-mail.ts';
import { quotedName, typeInSentence } from './notice-en.ts';

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

/** Returns the owner's name for a message to a person who may not know them, or null. */
export function nameOfOwner(owner: string | null): string | null {
  const name = harmlessName(owner);
  return name === null ? null : isolateName(name);
}

/** The owner inside a sentence to a second contact. */
function ownerInSentence(owner: string | null): string {
  return nameOfOwner(owner) ?? 'the person who invited you';
}

/** The owner at the start of a sentence to a second contact. */
export function ownerAtStart(owner: string | null): string {
  return nameOfOwner(owner) ?? 'The person who invited you';
}

/** The item in a line of its own. */
function itemOf(itemName: string, owner: string | null): string {
  if (!isUnnamed(itemName)) return isolateName(oneLine(itemName));
  const name = nameOfOwner(owner);
  return name === null ? 'An item' : finderEn.finder.somethingOf(name);
}

/** The item inside a sentence: "Dana’s keys", "Dana’s item “House keys”", "something of Dana’s". */
function itemInSentence(itemName: string, owner: string | null): string {
  const name = nameOfOwner(owner);
  if (isUnnamed(itemName)) return name === null ? 'one of their items' : `something of ${name}’s`;
  if (name === null) return quotedName(itemName);
  return `${name}’s ${typeInSentence(itemName) ?? `item ${quotedName(itemName)}`}`;
}

const LEAVE = 'Set quiet hours or stop these emails';

/** Returns "1 more message", "2 more messages". */
export function moreMessages(count: number): string {
  return count === 1 ? '1 more message' : `${count} more messages`;
}

/** Emails to the second contact of an owner, in English. They contain no word of the finder. */
export const secondContactMailEn = {
  invitation: ({ product, owner, link }: Invitation): MailContent => {
    const name = nameOfOwner(owner);
    return {
      subject: `${name ?? 'Someone'} asks for your help on ${product}`,
      heading: `${name ?? 'Someone'} would like you as a second contact`,
      parts: [
        {
          kind: 'text',
          text: `${product} helps people get lost items back. If a finder writes and ${name ?? 'the owner'} doesn’t see the message for an hour, we’ll tell you, and you can reply. You don’t need an account.`,
        },
        { kind: 'action', label: 'Agree or decline', url: link },
        { kind: 'aside', text: 'If you do nothing, we won’t contact you again. You can leave at any time.' },
      ],
    };
  },

  notice: ({ product, owner, itemName, link, leaveLink }: ContactNotice): MailContent => ({
    subject: `A finder wrote to ${ownerInSentence(owner)}`,
    heading: `${ownerAtStart(owner)} hasn’t seen this message yet`,
    parts: [
      {
        kind: 'text',
        text: `Someone wrote about ${itemInSentence(itemName, owner)} more than an hour ago. You can read the message and reply.`,
      },
      { kind: 'action', label: `Read and reply on ${product}`, url: link },
      { kind: 'aside', text: 'Don’t forward this email: its links work without a password.' },
      { kind: 'link', label: LEAVE, url: leaveLink },
    ],
  }),

  /** About the messages of a day that were not mailed one by one. */
  digest: ({ owner, count, links, rest, leaveLink }: ContactDigest): MailContent => ({
    subject: `${moreMessages(count)} to ${ownerInSentence(owner)}`,
    heading: `${ownerAtStart(owner)} hasn’t seen ${moreMessages(count)}`,
    parts: [
      {
        kind: 'text',
        text: 'When many messages come in one day, we send one email for the rest. You can read them and reply.',
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
            {
              kind: 'text',
              text:
                rest === 1
                  ? 'There’s no room here for 1 of them. We’ll send it tomorrow.'
                  : `There’s no room here for ${rest} of them. We’ll send them tomorrow.`,
            },
          ] satisfies MailPart[])
        : []),
      { kind: 'aside', text: 'Don’t forward this email: its links work without a password.' },
      { kind: 'link', label: LEAVE, url: leaveLink },
    ],
  }),
};
