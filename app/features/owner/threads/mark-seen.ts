import { type RefObject, useEffect } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { markRead } from '#app/data/messages.ts';
import { refreshAppBadge } from '#app/data/refresh-app-badge.ts';
import { threadElementId } from './thread-ids.ts';

/** The share of a message that has to be in view, and of the screen for a message that is longer. */
const SEEN_OF_MESSAGE = 0.5;
const SEEN_OF_SCREEN = 0.25;
/** Close enough together for a message of many screens. */
const THRESHOLDS = Array.from({ length: 41 }, (_, step) => step / 40);

/** Marks the finder's messages that were written until then (ISO 8601) as read. Resolves with whether that succeeded. */
export async function markSeen(conversationId: string, until: string): Promise<boolean> {
  return browserClient()
    .then((client) => markRead(client, conversationId, until))
    .then(refreshAppBadge)
    .then(
      () => true,
      () => false,
    );
}

/**
 * Marks the new messages of an open conversation as read, each when it has been in view on a visible page, with those
 * before it; all of them when the focus moves into the conversation. On this page they stay marked as new.
 */
export function useMarkSeen(
  /** Contains the messages; each new one has the attribute `data-new`, the time when it was written. */
  panel: RefObject<HTMLElement | null>,
  conversationId: string,
  unread: readonly string[],
): void {
  // Compared by ids: a message that arrives while another is marked leaves the count unchanged.
  const unreadIds = unread.join();
  useEffect(() => {
    const conversation = panel.current;
    if (conversation === null || unreadIds === '') return;
    const messages = [...conversation.querySelectorAll<HTMLElement>('[data-new]')];
    const inView = new Set<Element>();
    let newestMarked = -1;
    const mark = (index: number) => {
      const until = messages[index]?.dataset.new;
      if (until === undefined || index <= newestMarked || document.visibilityState !== 'visible') return;
      newestMarked = index;
      void markSeen(conversationId, until).then((isMarked) => {
        // It stays unread; what comes next into view retries, and the next visit.
        if (!isMarked) newestMarked = -1;
      });
    };
    const markInView = () => mark(messages.findLastIndex((message) => inView.has(message)));
    const view = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (isSeen(entry)) inView.add(entry.target);
          else inView.delete(entry.target);
        }
        markInView();
      },
      { threshold: THRESHOLDS },
    );
    for (const message of messages) view.observe(message);
    // A browser moves the focus also when its window comes back, and then scrolls to nothing.
    const onFocus = ({ target }: FocusEvent) => {
      requestAnimationFrame(() => {
        if (target instanceof Element && isOnScreen(target)) mark(messages.length - 1);
      });
    };
    conversation.addEventListener('focusin', onFocus);
    document.addEventListener('visibilitychange', markInView);
    return () => {
      view.disconnect();
      conversation.removeEventListener('focusin', onFocus);
      document.removeEventListener('visibilitychange', markInView);
    };
  }, [panel, conversationId, unreadIds]);
}

function isSeen({ isIntersecting, intersectionRect, boundingClientRect }: IntersectionObserverEntry): boolean {
  const enough = Math.min(boundingClientRect.height * SEEN_OF_MESSAGE, innerHeight * SEEN_OF_SCREEN);
  return isIntersecting && intersectionRect.height >= enough;
}

/** Whether the screen shows a part of the conversation's newest message, or of its head where it is closed. */
export function isThreadOnScreen(conversationId: string): boolean {
  const thread = document.getElementById(threadElementId(conversationId));
  const newest = thread?.querySelector('li:last-child') ?? thread;
  return newest !== null && isOnScreen(newest);
}

/** Whether a part of it is on the screen. */
function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
