import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Item } from '#app/data/items.ts';
import { totalOf } from '#app/data/refresh-app-badge.ts';
import { useConfirmDelivery } from '#app/data/use-confirm-delivery.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showAppBadge } from '#app/ui/show-app-badge.ts';
import { orderItems } from '../items/item-grid.tsx';
import { threadsPath } from './announce-messages.ts';

interface UnreadTotalProps {
  readonly items: readonly Item[];
  /** Unread messages by item id. */
  readonly unread: ReadonlyMap<string, number>;
}

/**
 * Number of unread messages of all items. Links to the conversations of the first item that has some; what is unread about
 * items that were given away is listed with those.
 */
export function UnreadTotal({ items, unread }: UnreadTotalProps) {
  const { dashboard } = useTexts();
  const total = totalOf(unread);
  useConfirmDelivery(total);
  useEffect(() => showAppBadge(total), [total]);
  const first = orderItems(items, unread).find(({ id }) => unread.has(id));
  if (total === 0) return null;
  return (
    <Link
      to={first === undefined ? '/given' : threadsPath(first)}
      className="flex min-h-11 w-fit items-center rounded-full bg-tag px-4 font-semibold text-on-tag text-sm hover:underline"
    >
      {dashboard.unread(total)}
    </Link>
  );
}
