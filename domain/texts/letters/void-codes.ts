import type { OwnerLettersWords } from '#domain/words/compiled/types.ts';
import { type MailContent, oneLine } from './compose-mail.ts';
import { quotedName } from './item-in-sentence.ts';

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

/** The email about stopped stickers. */
export function voidCodes(words: OwnerLettersWords, tag: string) {
  const { voidCodes: texts } = words;
  return ({ productName, count, itemNames, reasons, link }: VoidCodes): MailContent => {
    const title = texts.subject({ count, product: productName });
    const named = itemNames.slice(0, NAMED).map((name) => quotedName(words, name));
    const others = itemNames.length - named.length;
    const items = new Intl.ListFormat(tag).format(others > 0 ? [...named, texts.more(others)] : named);
    return {
      subject: title,
      heading: title,
      parts: [
        ...reasons.map((reason) => ({ kind: 'text' as const, text: texts.reason({ count, reason: oneLine(reason) }) })),
        ...(named.length > 0 ? [{ kind: 'text' as const, text: texts.items(items) }] : []),
        { kind: 'text', text: texts.advice(count) },
        { kind: 'action', label: texts.action, url: link },
      ],
    };
  };
}
