import { isolateName } from '#domain/isolate-name.ts';
import { harmlessName } from '#domain/item/first-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import type { LettersWords, SharedWords } from '#domain/words/compiled/types.ts';
import { nameForReader, typeOfName } from '../type-of-name.ts';
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

/** Returns the owner's name for a message to a person who may not know them, or null. */
export function nameOfOwner(owner: string | null): string | null {
  const name = harmlessName(owner);
  return name === null ? null : isolateName(name);
}

/** Emails to the second contact of an owner. They contain no word of the finder. */
export function secondContactMail({ secondContact: words, typesInSentence }: LettersWords, { itemTypes }: SharedWords) {
  const plainNameOf = (itemName: string) => isolateName(oneLine(nameForReader(itemName, itemTypes)));

  /** The item in a line of its own. */
  function itemOf(itemName: string, name: string | null): string {
    if (!isUnnamed(itemName)) return plainNameOf(itemName);
    return name === null ? words.something : words.somethingOf(name);
  }

  /** Which item a finder wrote about. */
  function about(itemName: string, name: string | null): string {
    const { notice } = words;
    if (isUnnamed(itemName)) return name === null ? notice.ofSomethingUnnamed : notice.ofSomething(name);
    const quoted = plainNameOf(itemName);
    if (name === null) return notice.ofItemUnnamed(quoted);
    const type = typeOfName(itemName);
    return type === null
      ? notice.ofItem({ owner: name, itemName: quoted })
      : notice.ofType({ owner: name, itemType: typesInSentence[type] });
  }

  return {
    invitation: ({ product, owner, link }: Invitation): MailContent => {
      const name = nameOfOwner(owner);
      const { invitation } = words;
      return {
        subject: name === null ? invitation.subjectUnnamed(product) : invitation.subject({ owner: name, product }),
        heading: name === null ? invitation.headingUnnamed : invitation.heading(name),
        parts: [
          {
            kind: 'text',
            text: name === null ? invitation.textUnnamed(product) : invitation.text({ product, owner: name }),
          },
          { kind: 'action', label: invitation.action, url: link },
          { kind: 'aside', text: invitation.aside },
        ],
      };
    },

    notice: ({ product, owner, itemName, link, leaveLink }: ContactNotice): MailContent => {
      const name = nameOfOwner(owner);
      const { notice } = words;
      return {
        subject: name === null ? notice.subjectUnnamed : notice.subject(name),
        heading: name === null ? notice.headingUnnamed : notice.heading(name),
        parts: [
          { kind: 'text', text: about(itemName, name) },
          { kind: 'action', label: notice.action(product), url: link },
          { kind: 'aside', text: words.aside },
          { kind: 'link', label: words.leave, url: leaveLink },
        ],
      };
    },

    /** About the messages of a day that were not mailed one by one. */
    digest: ({ owner, count, links, rest, leaveLink }: ContactDigest): MailContent => {
      const name = nameOfOwner(owner);
      const { digest } = words;
      return {
        subject: name === null ? digest.subjectUnnamed(count) : digest.subject({ count, owner: name }),
        heading: name === null ? digest.headingUnnamed(count) : digest.heading({ owner: name, count }),
        parts: [
          { kind: 'text', text: digest.text },
          ...links.map(
            (one): MailPart => ({
              kind: 'link',
              label: digest.link({ item: itemOf(one.itemName, name), count: one.count }),
              url: one.link,
            }),
          ),
          ...(rest > 0 ? ([{ kind: 'text', text: digest.rest(rest) }] satisfies MailPart[]) : []),
          { kind: 'aside', text: words.aside },
          { kind: 'link', label: words.leave, url: leaveLink },
        ],
      };
    },
  };
}
