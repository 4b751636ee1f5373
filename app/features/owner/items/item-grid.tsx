import { ScanLine } from 'lucide-react';
import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LogoMark } from '#app/ui/logo.tsx';
import { ItemCard } from './item-card.tsx';

export interface ItemGridProps {
  readonly items: readonly Item[];
  /** Unread messages by item id, the item with the newest of them first. */
  readonly unread: ReadonlyMap<string, number>;
  readonly onTagNew: () => void;
}

export function ItemGrid({ items, unread, onTagNew }: ItemGridProps) {
  const { dashboard } = useTexts();
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {orderItems(items, unread).map((item) => (
        <ItemCard key={item.id} item={item} unread={unread.get(item.id) ?? 0} />
      ))}
      <li>
        <button
          type="button"
          onClick={onTagNew}
          className="flex h-full min-h-36 w-full flex-col items-center justify-center gap-3 rounded-lg border-2 border-line-strong border-dashed p-5 font-semibold text-ink-soft transition-[border-color,color] hover:border-primary hover:text-primary"
        >
          <ScanLine className="size-7" aria-hidden="true" />
          {dashboard.scanCard}
        </button>
      </li>
    </ul>
  );
}

/**
 * Returns the items in dashboard order: those with unread messages in the order of `unread`, then lost items, then the rest,
 * each in the order in which they came.
 */
export function orderItems(items: readonly Item[], unread: ReadonlyMap<string, number>): readonly Item[] {
  const places = new Map([...unread.keys()].map((id, place) => [id, place]));
  const rank = ({ id, lostAt }: Item) => places.get(id) ?? places.size + (lostAt !== null ? 0 : 1);
  return items.toSorted((one, other) => rank(one) - rank(other));
}

export function NoItems() {
  const { dashboard } = useTexts();
  return (
    <div className="flex flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed px-6 py-14 text-center">
      <LogoMark className="size-16 -rotate-6" />
      <h2 className="font-bold text-xl">{dashboard.emptyTitle}</h2>
      <p className="text-ink-soft">{dashboard.emptyText}</p>
    </div>
  );
}
