import { ScanLine } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LogoMark } from '#app/ui/logo.tsx';
import { ItemCard } from './item-card.tsx';

export interface ItemGridProps {
  readonly items: readonly Item[];
  /** Unread messages by item id, the item with the newest of them first. */
  readonly unread: ReadonlyMap<string, number>;
  /** Ids of the items with a finder who waits for a reply. */
  readonly waiting: ReadonlySet<string>;
  readonly onTagNew: () => void;
}

/** How many cards are added at a time: more than fit a large screen. */
const PAGE = 24;

/** How many cards there were, for the way back from an item. */
let lastCount = PAGE;

interface OrderedProps extends Omit<ItemGridProps, 'waiting'> {
  /** Whether they are in the order in which they are shown. */
  readonly isOrdered?: boolean;
}

export function ItemGrid({ items, unread, onTagNew, isOrdered = false }: OrderedProps) {
  const { dashboard } = useTexts();
  const { count, end } = useCardsAsNeeded(items.length);
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {(isOrdered ? items : orderItems(items, unread)).slice(0, count).map((item) => (
        <ItemCard key={item.id} item={item} unread={unread.get(item.id) ?? 0} />
      ))}
      <li ref={end}>
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
 * Returns how many cards to show. Others follow when the end of the list is less than a screen away. All are there at once
 * to search; two thousand cards took a slow phone ten seconds.
 */
function useCardsAsNeeded(total: number) {
  const [count, setCount] = useState(lastCount);
  const end = useRef<HTMLLIElement>(null);
  const isMore = count < total;
  const showMore = useEffectEvent(() => {
    lastCount = count + PAGE;
    setCount(lastCount);
  });
  // Observed anew with each page: an end that stays in view is reported once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isMore || end.current === null) return;
    const view = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && showMore(), {
      rootMargin: '100% 0px',
    });
    view.observe(end.current);
    return () => view.disconnect();
  }, [isMore, count]);
  return { count, end };
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
