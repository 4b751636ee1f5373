import { isolateName } from '#domain/isolate-name.ts';
import { type MailContent, oneLine } from './compose-mail.ts';

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
  const title = count === 1 ? 'A sticker of yours no longer works' : `${count} stickers of yours no longer work`;
  const named = itemNames.slice(0, NAMED).map((name) => isolateName(oneLine(name)));
  const others = itemNames.length - named.length;
  const stopped = count === 1 ? 'The service has stopped it' : 'The service has stopped them';
  const items = list.format(others > 0 ? [...named, others === 1 ? '1 more item' : `${others} more items`] : named);
  return {
    subject: `${title} on ${productName}`,
    heading: title,
    parts: [
      ...reasons.map((reason) => ({ kind: 'text' as const, text: `${stopped}: “${oneLine(reason)}”` })),
      ...(named.length > 0 ? [{ kind: 'text' as const, text: `It’s about ${items}.` }] : []),
      {
        kind: 'text',
        text: 'A finder who scans a stopped sticker can’t reach you. Take it off, and put another sticker on.',
      },
      { kind: 'action', label: 'See your items', url: link },
    ],
  };
}
