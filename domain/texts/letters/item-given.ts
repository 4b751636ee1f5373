import type { OwnerLettersWords } from '#domain/words/compiled/types.ts';
import type { MailContent } from './compose-mail.ts';
import { itemInSentence } from './item-in-sentence.ts';

/** The parameters of the email to an owner whose item now belongs to another account. */
export interface ItemGiven {
  readonly productName: string;
  readonly itemName: string;
  /** The address that accepted it; null where its account is gone. */
  readonly email: string | null;
  /** How many conversations with finders were open, who wait for this owner no more. */
  readonly open: number;
  readonly link: string;
  /** Leads to the page that signs out whoever offered it. */
  readonly notMeUrl: string;
}

export function itemGiven(words: OwnerLettersWords) {
  const { given, change } = words;
  return ({ productName, itemName, email, open, link, notMeUrl }: ItemGiven): MailContent => {
    const title = given.subject(itemInSentence(words, itemName));
    return {
      subject: title,
      heading: title,
      parts: [
        { kind: 'text', text: email === null ? given.acceptedUnnamed : given.accepted(email) },
        ...(open === 0 ? [] : [{ kind: 'text', text: given.open(open) } as const]),
        { kind: 'action', label: given.action(productName), url: link },
        { kind: 'aside', text: given.aside },
        { kind: 'link', label: change.notMe, url: notMeUrl },
      ],
    };
  };
}
