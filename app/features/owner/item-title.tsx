import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';

/** What the item is. */
export function ItemTitle({ item }: { readonly item: Item }) {
  const { owner } = useTexts().item;
  return (
    <div className="flex items-center gap-4">
      <ItemPicture item={item} size="title" />
      <div className="min-w-0">
        <p className="font-medium text-primary text-sm">{owner.yours}</p>
        <h1 className="wrap-anywhere font-bold text-2xl">{item.itemName}</h1>
      </div>
    </div>
  );
}
