import { type MailContent, oneLine } from './compose-mail.ts';
import { quotedName } from './notice-en.ts';

/** The parameters of the email to an owner whose stickers an operator has stopped. */
export interface VoidCodes {
  readonly productName: string;
  /** How many stickers. */
  readonly count: number;
  /** What they are on, as far as they are on something. */
  readonly itemNames: readonly string[];
  /** As the operator wrote them. */
  readonly reasons: readonly string[];
  readonly link: string;
}

/** How many items the email names. */
const NAMED = 10;

const list = new Intl.ListFormat('en');

/** The email about stopped stickers, in English. */
export function voidCodesEn({ productName, count, itemNames, reasons, link }: VoidCodes): MailContent {
  const isOne = count === 1;
  const title = isOne
    ? `One of your ${productName} stickers no longer works`
    : `${count} of your ${productName} stickers no longer work`;
  const named = itemNames.slice(0, NAMED).map(quotedName);
  const others = itemNames.length - named.length;
  const stopped = isOne ? 'We turned it off' : 'We turned them off';
  const items = list.format(others > 0 ? [...named, others === 1 ? '1 more item' : `${others} more items`] : named);
  return {
    subject: title,
    heading: title,
    parts: [
      ...reasons.map((reason) => ({ kind: 'text' as const, text: `${stopped}: “${oneLine(reason)}”` })),
      ...(named.length > 0 ? [{ kind: 'text' as const, text: `This affects ${items}.` }] : []),
      {
        kind: 'text',
        text: isOne
          ? 'A finder who scans it can’t reach you. Take it off, and tag your item with another sticker.'
          : 'A finder who scans one of them can’t reach you. Take them off, and tag your items with other stickers.',
      },
      { kind: 'action', label: 'See your items', url: link },
    ],
  };
}
