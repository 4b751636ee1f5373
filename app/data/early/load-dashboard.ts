import type { User } from '@supabase/supabase-js';
import { browserClient } from '#app/client/browser-client.ts';
import { findStoppedPush } from '#app/push/stopped-push.ts';
import { loadAccountContactMethods } from '../contact-methods.ts';
import { loadOwnItems } from '../items.ts';
import { countUnread } from '../messages.ts';
import { loadEmailTrouble } from '../profile.ts';
import { loadTransfers } from '../transfers/transfers.ts';
import { loadEarly } from './early-load.ts';

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

/** Returns what the dashboard shows. Throws the service's error. */
async function loadDashboard(user: User) {
  const userId = user.id;
  const loadedAt = performance.now();
  const client = await browserClient();
  const [items, unread, contactMethods, emailTrouble, stoppedPush, transfers] = await Promise.all([
    loadOwnItems(client, userId),
    countUnread(client),
    loadAccountContactMethods(client, userId),
    loadEmailTrouble(client, user),
    findStoppedPush(client),
    loadTransfers(client),
  ]);
  return { userId, items, unread, contactMethods, emailTrouble, stoppedPush, transfers, loadedAt };
}

/** Returns a function that loads what the dashboard shows. */
export const dashboardLoad = loadEarly((path) => (path === '/dashboard' ? path : null), loadDashboard);
