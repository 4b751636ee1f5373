import { isolateName } from '#domain/isolate-name.ts';
import { type FoundItem, givenName } from '#domain/item/found-item.ts';
import type { FinderTexts } from '#domain/texts/finder/finder.ts';

/** Returns what others than its owner call an item, where there is no markup: in a title, or the description of its photo. */
export function nameInText(item: Pick<FoundItem, 'item_name' | 'owner_first_name'>, { finder }: FinderTexts): string {
  const name = givenName(item);
  return name === null ? finder.somethingOf(isolateName(item.owner_first_name)) : isolateName(name);
}
