import type { Item } from '#app/data/items.ts';
import { PictureControls } from './picture-controls.tsx';
import { useItemPhoto } from './use-item-photo.ts';

/** The photo of an item in one line, with controls to set, replace and remove it. */
export function CompactItemPhoto({ item }: { readonly item: Item }) {
  const { shown, controls } = useItemPhoto(item);
  return (
    <div className="flex items-center gap-3">
      {shown !== null && (
        <img
          src={shown}
          alt=""
          width={56}
          height={56}
          decoding="async"
          className="size-14 shrink-0 rounded-md object-cover"
        />
      )}
      <div className="min-w-0 flex-1">
        <PictureControls {...controls} />
      </div>
    </div>
  );
}
