import type { User } from '@supabase/supabase-js';
import { dataClient } from '#app/client/browser-client.ts';
import { findStoppedPush } from '#app/push/stopped-push.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { loadAccountContactMethods } from '../contact-methods.ts';
import { loadOwnItems, SHORT_LIST } from '../items.ts';
import { loadItemNews } from '../news/item-news.ts';
import { loadEmailTrouble } from '../profile.ts';
import { loadTransfers } from '../transfers/transfers.ts';
import { loadEarly } from './early-load.ts';

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

/** For those with many items. */
export const loadItemFinder = loadOnce(
  async () => (await loadPart(() => import('#app/features/owner/items/item-finder.tsx'))).ItemFinder,
);

/** Returns what the dashboard shows. Throws the service's error. */
async function loadDashboard(user: User) {
  const userId = user.id;
  const loadedAt = performance.now();
  const client = await dataClient();
  const [items, news, contactMethods, emailTrouble, stoppedPush, transfers] = await Promise.all([
    loadOwnItems(client, userId).then((all) => {
      // Fetched meanwhile. The screen does without it where that fails.
      if (all.length > SHORT_LIST) loadItemFinder().catch(() => undefined);
      return all;
    }),
    loadItemNews(client),
    loadAccountContactMethods(client, userId),
    loadEmailTrouble(client, user),
    findStoppedPush(client),
    loadTransfers(client),
  ]);
  return { userId, items, ...news, contactMethods, emailTrouble, stoppedPush, transfers, loadedAt };
}

/** Returns a function that loads what the dashboard shows. */
export const dashboardLoad = loadEarly((path) => (path === '/dashboard' ? path : null), loadDashboard);
