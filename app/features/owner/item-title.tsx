import { ItemIcon } from '#app/lib/item-icon.tsx';
import type { Item } from '#app/lib/items.ts';
import { photoAddress, smallPhotoAddress } from '#app/lib/photo-address.ts';
import { useMessages } from '#app/lib/use-messages.ts';

/** What the item is, and whose. */
export function ItemTitle({ item }: { readonly item: Item }) {
  const { owner } = useMessages().item;
  return (
    <div className="flex items-center gap-4">
      {item.photo === null ? (
        <span className="grid size-18 shrink-0 place-content-center rounded-lg bg-primary-soft text-primary">
          <ItemIcon type={item.itemType} size={34} />
        </span>
      ) : (
        <img
          src={smallPhotoAddress(photoAddress(item.photo))}
          alt=""
          width={72}
          height={72}
          decoding="async"
          className="size-18 shrink-0 rounded-lg bg-primary-soft object-cover"
        />
      )}
      <div className="min-w-0">
        <p className="font-medium text-primary text-sm">{owner.yours}</p>
        <h1 className="wrap-anywhere font-bold text-2xl">{item.itemName}</h1>
      </div>
    </div>
  );
}
