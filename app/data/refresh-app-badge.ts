import { dataClient } from '#app/client/browser-client.ts';
import { onceABurst } from '#app/resilience/once-a-burst.ts';
import { showAppBadge } from '#app/ui/show-app-badge.ts';
import { countUnread } from './news/item-news.ts';

/** Shows at the icon of the installed app how many messages are unread now. Where they cannot be counted it stays as it is. */
export const refreshAppBadge = onceABurst(() => {
  if (navigator.setAppBadge === undefined) return;
  dataClient()
    .then(countUnread)
    .then((unread) => showAppBadge(totalOf(unread)))
    .catch(() => {});
});

/** Returns the sum of the counts by item. */
export function totalOf(unread: ReadonlyMap<string, number>): number {
  return [...unread.values()].reduce((sum, count) => sum + count, 0);
}
