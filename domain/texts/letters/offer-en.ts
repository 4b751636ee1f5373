import type { MailContent } from './compose-mail.ts';
import { inSentence } from './notice-en.ts';

/** The parameters of the email to an address that an item is offered to. */
export interface ItemOffer {
  readonly productName: string;
  /** The giver's first name; null where it is not shown. */
  readonly giver: string | null;
  readonly link: string;
}

/** It contains no text that the giver wrote: they chose the address. */
export function itemOfferEn({ productName, giver, link }: ItemOffer): MailContent {
  const name = giver ?? 'Someone';
  return {
    subject: `${name} wants to give you an item on ${productName}`,
    heading: `${name} wants to give you an item`,
    parts: [
      {
        kind: 'text',
        text: `It has a ${productName} sticker, so anyone who finds it can reach its owner. If you accept, that’s you.`,
      },
      { kind: 'action', label: 'See what it is', url: link },
      {
        kind: 'text',
        text: 'Sign in with this email address, or create an account with it. The offer waits for 14 days.',
      },
      {
        kind: 'aside',
        text: 'Don’t know what this is about? Do nothing. We told no one whether you have an account, and nothing changes.',
      },
    ],
  };
}

/** The parameters of the email to an owner whose item now belongs to another account. */
export interface ItemGiven {
  readonly productName: string;
  readonly itemName: string;
  /** The address that accepted it; null where its account is gone. */
  readonly email: string | null;
  readonly link: string;
}

export function itemGivenEn({ productName, itemName, email, link }: ItemGiven): MailContent {
  const item = inSentence(itemName);
  return {
    subject: `Your ${item} has a new owner`,
    heading: `Your ${item} has a new owner`,
    parts: [
      {
        kind: 'text',
        text: `${email ?? 'The account that you offered it to'} accepted it. Finders who scan its stickers now reach its new owner.`,
      },
      { kind: 'action', label: `See what you gave away on ${productName}`, url: link },
      {
        kind: 'aside',
        text: 'Didn’t offer it? Someone else may be in your account. Choose a new password right away.',
      },
    ],
  };
}
