import type { Item } from '#app/lib/items.ts';

/** The items as the dashboard shows them: those with unread messages first, then lost ones, each as they came. */
export function orderItems(items: readonly Item[], unread: ReadonlyMap<string, number>): readonly Item[] {
  const rank = ({ id, lostAt }: Item) => ((unread.get(id) ?? 0) > 0 ? 0 : lostAt !== null ? 1 : 2);
  return items.toSorted((one, other) => rank(one) - rank(other));
}
