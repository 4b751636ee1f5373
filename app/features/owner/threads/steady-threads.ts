import { type RefCallback, useCallback, useState } from 'react';
import { replyDraft } from '#app/data/reply-drafts.ts';
import { inOrder, type Thread } from './group-threads.ts';

/**
 * Returns the threads in the order to show, and a ref for their list. Once the owner uses the list, has scrolled into it, or
 * has a draft, they stay in place until the next visit, and new ones come after them.
 */
export function useSteadyThreads(threads: readonly Thread[]): readonly [readonly Thread[], RefCallback<HTMLElement>] {
  const [isInUse, setIsInUse] = useState(false);
  const [ids, setIds] = useState<readonly string[]>([]);
  const isHeld = isInUse || threads.some(({ conversationId }) => replyDraft(conversationId) !== '');
  const ordered = isHeld ? inOrder(threads, ids) : threads;
  const nextIds = ordered.map(({ conversationId }) => conversationId);
  if (nextIds.join() !== ids.join()) setIds(nextIds);
  const list = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const watched = new AbortController();
    watchUse(element, watched.signal, () => setIsInUse(true));
    holdFocused(element, watched.signal);
    return () => watched.abort();
  }, []);
  return [ordered, list];
}

function watchUse(list: HTMLElement, signal: AbortSignal, onUse: () => void): void {
  for (const event of ['focusin', 'pointerdown', 'wheel']) {
    list.addEventListener(event, onUse, { signal, passive: true });
  }
  const onScroll = () => {
    if (list.getBoundingClientRect().top < 0) onUse();
  };
  addEventListener('scroll', onScroll, { signal, passive: true });
}

/** Keeps the focused element of the list where it is on the screen when something above it grows. */
function holdFocused(list: HTMLElement, signal: AbortSignal): void {
  let held: Element | null = null;
  let top = 0;
  const note = () => {
    held = list.contains(document.activeElement) ? document.activeElement : null;
    top = held?.getBoundingClientRect().top ?? 0;
  };
  // Browsers do it themselves in part: Safari never, the others not at the top of the page.
  const growth = new ResizeObserver(() => {
    const isSame = held !== null && held === document.activeElement && held.isConnected;
    const moved = isSame && held !== null && top > 0 && top < innerHeight ? held.getBoundingClientRect().top - top : 0;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' });
    note();
  });
  growth.observe(document.body);
  signal.addEventListener('abort', () => growth.disconnect());
  list.addEventListener('focusin', note, { signal });
  list.addEventListener('focusout', note, { signal });
  // Also where the user resizes or scrolls.
  addEventListener('scroll', note, { signal, passive: true });
  addEventListener('resize', note, { signal });
}
