import { isolateName } from '#domain/isolate-name.ts';
import { type FoundItem, givenName } from '#domain/item/found-item.ts';
import type { Texts } from '#domain/texts/en.ts';

/** Returns what the item is called where there is no markup: in the title and in the description of its photo. */
export function nameInText(item: FoundItem, { finder }: Texts): string {
  const name = givenName(item);
  return name === null ? finder.somethingOf(isolateName(item.owner_first_name)) : isolateName(name);
}
