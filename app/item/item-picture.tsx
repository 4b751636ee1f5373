import type { Item } from '#app/data/items.ts';
import { ItemIcon } from './item-icon.tsx';
import { photoAddress, smallPhotoAddress } from './photo-address.ts';

const SIZES = {
  /** In a list, where most pictures are below the first screen. */
  card: { className: 'size-16 shrink-0 rounded-md bg-primary-soft', pixels: 64, icon: 30, loading: 'lazy' },
  /** Beside a name, in a list to choose from. */
  row: { className: 'size-12 shrink-0 rounded-md bg-primary-soft', pixels: 48, icon: 24, loading: 'lazy' },
  title: { className: 'size-18 shrink-0 rounded-lg bg-primary-soft', pixels: 72, icon: 34, loading: 'eager' },
} as const;

interface ItemPictureProps {
  readonly item: Pick<Item, 'photo' | 'itemType'>;
  readonly size: keyof typeof SIZES;
}

/** The photo of an item, or the icon of its type. The name beside it is its text. */
export function ItemPicture({ item: { photo, itemType }, size }: ItemPictureProps) {
  const { className, pixels, icon, loading } = SIZES[size];
  if (photo === null) {
    return (
      <span className={`grid place-content-center text-primary ${className}`}>
        <ItemIcon type={itemType} size={icon} />
      </span>
    );
  }
  return (
    <img
      src={smallPhotoAddress(photoAddress(photo))}
      alt=""
      width={pixels}
      height={pixels}
      loading={loading}
      decoding="async"
      className={`object-cover ${className}`}
    />
  );
}
