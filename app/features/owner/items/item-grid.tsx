import { ScanLine } from 'lucide-react';
import type { Item } from '#app/lib/items.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { ItemCard } from './item-card.tsx';
import { orderItems } from './order-items.ts';

interface ItemGridProps {
  readonly items: readonly Item[];
  /** Unread messages by the item's id. */
  readonly unread: ReadonlyMap<string, number>;
  readonly onTagNew: () => void;
}

export function ItemGrid({ items, unread, onTagNew }: ItemGridProps) {
  const { dashboard } = useMessages();
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
