import type { User } from '@supabase/supabase-js';
import { browserClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { findStoppedPush } from '#app/push/stopped-push.ts';
import { loadAccountContactMethods } from './contact-methods.ts';
import { loadOwnItems } from './items.ts';
import { countUnread } from './messages.ts';
import { loadEmailTrouble } from './profile.ts';
import { loadTransfers } from './transfers/transfers.ts';

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

interface EarlyLoad {
  readonly userId: string;
  readonly data: Promise<DashboardData>;
}

/**
 * Begun when this module runs. Documents for signed-in users have the browser run it before the framework, which arrives
 * two seconds later on a slow connection.
 */
let early: Promise<EarlyLoad | null> | null = isDashboardDocument() ? beginEarly() : null;

function isDashboardDocument(): boolean {
  // Rendering on the server also imports this module. A query may lead to another screen.
  return typeof document !== 'undefined' && location.pathname === '/dashboard' && location.search === '';
}

async function beginEarly(): Promise<EarlyLoad | null> {
  const session = await currentSession().catch(() => null);
  if (session === null) return null;
  const data = loadDashboard(session.user);
  // Reported by whoever takes it.
  data.catch(() => undefined);
  return { userId: session.user.id, data };
}

/**
 * Returns a function that loads what the dashboard shows. For the first visit of a document it takes the load that began
 * with the document, if that is the user's; a later visit never gets it.
 */
export function dashboardLoad(): (user: User) => Promise<DashboardData> {
  const begun = early;
  early = null;
  return async (user) => {
    const load = await begun;
    return load?.userId === user.id ? load.data : loadDashboard(user);
  };
}
