import { useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { THREADS_ID } from '#app/item/threads-id.ts';
import type { Thread } from './group-threads.ts';
import { THREAD_PREFIX } from './thread-ids.ts';

/** A visit to one conversation, by a link that names it. */
export interface ThreadVisit {
  /** Differs for each visit. */
  readonly key: string;
  /** Null where the conversation no longer exists. */
  readonly conversationId: string | null;
}

/**
 * Returns the visit to the conversation that the URL's hash names; for the hash of all conversations, the first that has
 * unread messages. Null where the URL names none. Decided once for each navigation, so that what arrives later moves
 * nothing under the user's hand; a conversation that is still being loaded is waited for, also while `isStale` says that
 * `threads` could not be loaded again.
 */
export function useThreadVisit(threads: readonly Thread[], isStale: boolean): ThreadVisit | null {
  const { hash, key } = useLocation();
  const { state } = useRevalidator();
  const [decided, setDecided] = useState<{ key: string; visit: ThreadVisit | null } | null>(null);
  const asked = askedThread(hash, threads);
  const exists = threads.some(({ conversationId }) => conversationId === asked);
  // One that seemed to be gone may have been loaded since.
  const isDecided = decided?.key === key && !(exists && decided.visit?.conversationId === null);
  // Other hashes open dialogs, and leave the visit as it is.
  if (asked === undefined || isDecided || (asked !== null && !exists && (isStale || state === 'loading'))) {
    return decided?.visit ?? null;
  }
  const visit = asked === null ? null : { key, conversationId: exists ? asked : null };
  setDecided({ key, visit });
  return visit;
}

/** Returns the conversation that a URL's hash names, which may not exist; null for none, and undefined for other hashes. */
function askedThread(hash: string, threads: readonly Thread[]): string | null | undefined {
  if (hash === `#${THREADS_ID}`) return threads.find(({ unread }) => unread.length > 0)?.conversationId ?? null;
  return hash.startsWith(`#${THREAD_PREFIX}`) ? hash.slice(1 + THREAD_PREFIX.length) : undefined;
}
