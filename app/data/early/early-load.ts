import type { User } from '@supabase/supabase-js';
import { currentSession } from '#app/client/current-session.ts';

interface EarlyLoad<Data> {
  readonly userId: string;
  readonly data: Promise<Data>;
}

/**
 * Begins to load the data of the screen that this document shows, if `shown` says that it is this one. Documents for
 * signed-in users have the browser call this before the framework, which arrives two seconds later on a slow connection.
 *
 * Returns a function that the screen calls at each visit. For the first visit of the document it returns a load that takes
 * what began with the document, if that is the user's and of what is `wanted`; a later visit never gets it.
 *
 * @param shown - Names what a document with this path shows; null for another screen.
 */
export function loadEarly<Data>(
  shown: (path: string) => string | null,
  load: (user: User, wanted: string) => Promise<Data>,
): (wanted: string) => (user: User) => Promise<Data> {
  // Rendering on the server also calls this. A query may lead to another screen.
  const name = typeof document === 'undefined' || location.search !== '' ? null : shown(location.pathname);
  let early = name === null ? null : begin((user) => load(user, name));
  return (wanted) => {
    const begun = wanted === name ? early : null;
    early = null;
    return async (user) => {
      const taken = await begun;
      return taken?.userId === user.id ? taken.data : load(user, wanted);
    };
  };
}

async function begin<Data>(load: (user: User) => Promise<Data>): Promise<EarlyLoad<Data> | null> {
  const session = await currentSession().catch(() => null);
  if (session === null) return null;
  const data = load(session.user);
  // Reported by whoever takes it.
  data.catch(() => undefined);
  return { userId: session.user.id, data };
}
