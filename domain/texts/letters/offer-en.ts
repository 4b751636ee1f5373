import { OFFER_DAYS } from '#domain/retention.ts';
import { durationEn } from '../duration-en.ts';
import type { MailContent } from './compose-mail.ts';
import { yourItem } from './notice-en.ts';

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
        text: `Sign in with this email, or create an account with it. You can accept for ${durationEn(OFFER_DAYS * 86_400)}.`,
      },
      {
        kind: 'aside',
        text: 'Don’t know what this is about? Ignore this email. Nothing changes, and we didn’t tell anyone whether you have an account.',
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
  /** How many conversations with finders were open, who wait for this owner no more. */
  readonly open: number;
  readonly link: string;
  /** Leads to the page that signs out whoever offered it. */
  readonly notMeUrl: string;
}

function openConversations(open: number): string {
  const which = open === 1 ? 'A conversation with a finder was' : `${open} conversations with finders were`;
  return `${which} still open. The new owner can’t read them, and finders are told that the item has a new owner. If you arranged to meet, let the new owner know.`;
}

export function itemGivenEn({ productName, itemName, email, open, link, notMeUrl }: ItemGiven): MailContent {
  const title = `You gave away ${yourItem(itemName)}`;
  return {
    subject: title,
    heading: title,
    parts: [
      {
        kind: 'text',
        text: `${email ?? 'The new owner'} accepted your offer. Finders who scan its stickers no longer reach you.`,
      },
      ...(open === 0 ? [] : [{ kind: 'text', text: openConversations(open) } as const]),
      { kind: 'action', label: `See what you gave away on ${productName}`, url: link },
      {
        kind: 'aside',
        text: 'Didn’t offer it? Someone else may be in your account. We’ll sign them out and help you choose a new password:',
      },
      { kind: 'link', label: 'This wasn’t me', url: notMeUrl },
    ],
  };
}
