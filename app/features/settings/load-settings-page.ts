import type { User } from '@supabase/supabase-js';
import { dataClient } from '#app/client/browser-client.ts';
import type { DataClient } from '#app/client/data-client.ts';
import { readUser } from '#app/client/session/read-user.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { type Account, loadAccount } from '#app/data/profile.ts';
import { createStaleIfError, type Loaded } from '#app/resilience/stale-if-error.ts';

/** What each page of the settings has: the account, and its own parts. */
export interface SettingsData<Parts> {
  readonly userId: string;
  readonly account: Account;
  readonly parts: Parts;
}

/**
 * Returns the loader of a page of the settings. `loadParts` starts its requests at once; a part that may be missing
 * catches its own error. Everything is loaded before anything is shown: a later part would move the content below it.
 *
 * @example const load = createSettingsLoader(async (client) => loadSecondContacts(client).catch(() => null));
 */
export function createSettingsLoader<Parts>(loadParts: (client: DataClient, user: User) => Promise<Parts>) {
  const staleIfError = createStaleIfError<SettingsData<Parts>>();
  return (request: Request): Promise<Loaded<SettingsData<Parts>>> =>
    staleIfError(storedUserId(), 'settings', async () => {
      await requireSession(request);
      const client = await dataClient();
      // First and alone, so that an ended session is refused only once.
      const user = await readUser();
      const [account, parts] = await Promise.all([loadAccount(client, user), loadParts(client, user)]);
      return { userId: user.id, account, parts };
    });
}
