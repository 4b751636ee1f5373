import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ItemIcon } from '#app/item/item-icon.tsx';

/** What the item is. Its picture is in the card below. */
export function ItemTitle({ item }: { readonly item: Item }) {
  const { owner } = useTexts().item;
  return (
    <div className="flex items-center gap-4">
      <span className="grid size-14 shrink-0 place-content-center rounded-md bg-primary-soft text-primary">
        <ItemIcon type={item.itemType} size={28} />
      </span>
      <div className="min-w-0">
        <h1 className="wrap-anywhere font-bold text-2xl/tight">
          <bdi>{item.itemName}</bdi>
        </h1>
        <p className="text-ink-soft text-sm">{owner.yours}</p>
      </div>
    </div>
  );
}
