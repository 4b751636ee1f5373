import { isolateName } from '#domain/isolate-name.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import type { OwnerLettersWords } from '#domain/words/compiled/types.ts';
import { typeOfName } from '../type-of-name.ts';
import { oneLine } from './compose-mail.ts';

/**
 * Names an item to its owner, inside a sentence: "your keys" for one with its type's name, "your item" for one without a
 * name of its own, otherwise the owner's text in quotation marks.
 *
 * @example itemInSentence(words, 'House keys') // '“House keys”'
 */
export function itemInSentence(words: OwnerLettersWords, itemName: string): string {
  if (itemName === '' || isUnnamed(itemName)) return words.yourItem;
  const type = typeOfName(itemName);
  return type === null ? quotedName(words, itemName) : words.yourTypes[type];
}

/** A name that a person gave, in quotation marks, so that any name can stand in any sentence. */
export function quotedName({ namedItem }: OwnerLettersWords, name: string): string {
  return namedItem(isolateName(oneLine(name)));
}
