import type { FinderTexts } from '#domain/finder-language.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { DEFAULT_OWNER_NAME, type FoundItem, givenName } from '#domain/item/found-item.ts';
import { nameForReader } from '#domain/texts/type-of-name.ts';

/** Returns the name of an item, or null where it has none. That of its type is in the reader's language. */
export function itemInText(item: Pick<FoundItem, 'item_name'>, { itemTypes }: FinderTexts): string | null {
  const name = givenName(item);
  return name === null ? null : nameForReader(name, itemTypes);
}

/** Returns the name of an owner; for one without a name, words of the reader's language that stand for it. */
export function ownerInText(name: string, { finder }: FinderTexts): string {
  return name === DEFAULT_OWNER_NAME ? finder.defaultOwnerName : name;
}

/** Returns what others than its owner call an item, where there is no markup: in a title, or the description of its photo. */
export function nameInText(item: Pick<FoundItem, 'item_name' | 'owner_first_name'>, texts: FinderTexts): string {
  const name = itemInText(item, texts);
  return name === null
    ? texts.finder.somethingOf(isolateName(ownerInText(item.owner_first_name, texts)))
    : isolateName(name);
}
