import type { DataClient } from '#app/client/data-client.ts';
import { type Inbox, loadInboxPage, withEarlier, withNewest } from './inbox.ts';

/**
 * Keeps the conversations that were loaded, so that they are there on the way back and a further page adds to them. Each
 * load asks for the newest page, and for an earlier one after `wantEarlier`. Loads follow one after the other: the router
 * drops the result of one that another overtakes, and the later one then has what the earlier one added.
 */
export function createInbox() {
  let known: { readonly userId: string; readonly inbox: Inbox } | null = null;
  let isEarlierWanted = false;
  let latest: Promise<unknown> = Promise.resolve();

  const loadNext = async (client: DataClient, userId: string): Promise<Inbox> => {
    const before = known?.userId === userId ? known.inbox : null;
    const end = isEarlierWanted ? (before?.next ?? null) : null;
    isEarlierWanted = false;
    const [newest, earlier] = await Promise.all([
      loadInboxPage(client, null),
      end === null ? null : loadInboxPage(client, end),
    ]);
    const updated = withNewest(before, newest);
    // After a list that has begun again, it would leave a gap.
    const inbox = earlier !== null && updated.next?.id === end?.id ? withEarlier(updated, earlier) : updated;
    known = { userId, inbox };
    return inbox;
  };

  return {
    wantEarlier: () => {
      isEarlierWanted = true;
    },
    /** Throws the data service's error. */
    load: (client: DataClient, userId: string): Promise<Inbox> => {
      const load = latest.then(() => loadNext(client, userId));
      latest = load.catch(() => undefined);
      return load;
    },
  };
}
