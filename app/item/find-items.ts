import type { Item } from '#app/data/items.ts';
import { plainTyped } from '#domain/plain-typed.ts';

/** Fewer characters are in many codes. */
const SHORTEST_PART_OF_CODE = 4;

/**
 * Returns the items that a typed text describes: its words, in any order and without regard to case and accents, are in the
 * name or the description, or the text is a part of the code on the sticker. Those whose whole name it is come first, and
 * the others stay in order. All items for an empty text.
 *
 * @param typedCodeOf - Derives the code on a sticker; null as long as it is not loaded.
 * @example findItems(items, 'velo bleu', null); // also “Mon vélo bleu”
 */
export function findItems(
  items: readonly Item[],
  typed: string,
  typedCodeOf: ((qrId: string) => string) | null,
): readonly Item[] {
  const words = plainLetters(typed).split(/\s+/).filter(Boolean);
  const part = plainTyped(typed)
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .toUpperCase();
  const isInCode = ({ qrId }: Item) =>
    part.length >= SHORTEST_PART_OF_CODE &&
    (typedCodeOf?.(qrId).replaceAll('-', '').includes(part) === true || qrId === typed.trim());
  const found = items.filter((item) => {
    const text = plainLetters(`${item.itemName} ${item.description ?? ''}`);
    return words.every((word) => text.includes(word)) || isInCode(item);
  });
  const name = words.join(' ');
  const isNamed = ({ itemName }: Item) => plainLetters(itemName).trim() === name;
  return found.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
}

function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase();
}
