import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { markRead } from '#app/data/messages.ts';
import { refreshAppBadge } from '#app/data/refresh-app-badge.ts';
import { threadElementId } from './thread-ids.ts';
import { watchAttention } from './watch-attention.ts';

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
 * Marks the new messages of an open conversation as read, each when it has been in view in a window with the focus at which
 * a person is, with those before it; all of them when the focus moves into the conversation. A person is there after an
 * input that is younger than the newest message on the page, and after opening the conversation by a link. On this page
 * the messages stay marked as new.
 */
export function useMarkSeen(
  /** Contains the messages; each new one has the attribute `data-new`, the time when it was written. */
  panel: RefObject<HTMLElement | null>,
  conversationId: string,
  /** Newest first. */
  unread: readonly string[],
  /** Differs for each time that the conversation was opened by a link or a notification; null where it was not. */
  visitKey: string | null,
): void {
  const countedVisit = useRef<string | null>(null);
  const newest = unread[0] ?? null;
  /** The newest message while a person gave a sign. It stays the newest one while messages before it are marked. */
  const attended = useRef<string | null>(null);
  const isReturn = useNavigationType() === NavigationType.Pop;
  // Compared by ids: a message that arrives while another is marked leaves the count unchanged.
  const unreadIds = unread.join();
  useEffect(() => {
    const conversation = panel.current;
    if (conversation === null || unreadIds === '') return;
    const messages = [...conversation.querySelectorAll<HTMLElement>('[data-new]')];
    const inView = new Set<Element>();
    let newestMarked = -1;
    const isVisit = visitKey !== null && visitKey !== countedVisit.current && !(isReturn && wasReloaded());
    if (isVisit) attended.current = newest;
    countedVisit.current = visitKey;
    const mark = (index: number) => {
      const until = messages[index]?.dataset.new;
      if (until === undefined || index <= newestMarked) return;
      if (attended.current !== newest || document.visibilityState !== 'visible' || !document.hasFocus()) return;
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
    const watched = new AbortController();
    const { signal } = watched;
    const attend = () => {
      attended.current = newest;
      markInView();
    };
    watchAttention(signal, attend);
    // A browser moves the focus also when its window comes back: then it comes from no other element. A screen reader
    // moves it without a key that the page hears of.
    const onFocus = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) attended.current = newest;
      requestAnimationFrame(() => {
        if (target instanceof Element && isOnScreen(target)) mark(messages.length - 1);
      });
    };
    conversation.addEventListener('focusin', onFocus, { signal });
    document.addEventListener('visibilitychange', markInView, { signal });
    addEventListener('focus', markInView, { signal });
    return () => {
      view.disconnect();
      watched.abort();
    };
  }, [panel, conversationId, unreadIds, newest, visitKey, isReturn]);
}

/** Whether the browser loaded the page again, as it does by itself when it starts: then no one has opened it by a link. */
function wasReloaded(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type !== 'navigate';
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
