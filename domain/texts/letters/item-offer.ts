import { OFFER_DAYS } from '#domain/retention.ts';
import type { LettersWords } from '#domain/words/compiled/types.ts';
import type { MailContent } from './compose-mail.ts';

/** The parameters of the email to an address that an item is offered to. */
export interface ItemOffer {
  readonly productName: string;
  /** The giver's first name; null where it is not shown. */
  readonly giver: string | null;
  readonly link: string;
}

/** The email about an offered item. It contains no text that the giver wrote: they chose the address. */
export function itemOffer({ offer }: LettersWords) {
  return ({ productName: product, giver, link }: ItemOffer): MailContent => ({
    subject: giver === null ? offer.subjectUnnamed(product) : offer.subject({ giver, product }),
    heading: giver === null ? offer.headingUnnamed : offer.heading(giver),
    parts: [
      { kind: 'text', text: offer.text(product) },
      { kind: 'action', label: offer.action, url: link },
      { kind: 'text', text: offer.life(OFFER_DAYS) },
      { kind: 'aside', text: offer.aside },
    ],
  });
}
