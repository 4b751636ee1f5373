import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { itemPageWords } from '#words/item-page.ts';
import { ThreadBubble, type ThreadEntry } from './thread-bubble.tsx';

interface ThreadLogProps {
  readonly ref: RefObject<HTMLElement | null>;
  /** Oldest first. */
  readonly entries: readonly ThreadEntry[];
  /** The finder's name on this page. */
  readonly finder: string;
}

/** Space above the first new message, in pixels: what is before it looks out from under the soft edge. */
const ABOVE_NEW = 28;

/**
 * The messages of a conversation in a box of its own, which begins at its end, or at the first new message where the new
 * ones do not fit. It is higher where they need it. An edge behind which there is more is soft.
 */
export function ThreadLog({ ref, entries, finder }: ThreadLogProps) {
  const { threads } = itemPageWords(useLanguage());
  const list = useRef<HTMLOListElement>(null);
  const [hasMore, setHasMore] = useState({ above: false, below: false });

  // Each time: a message may come, and its photo later.
  useLayoutEffect(() => {
    const box = ref.current;
    const first = box?.querySelector('[data-new]') ?? null;
    if (box === null || first === null) return;
    const needed = box.scrollHeight - distance(box, first) + ABOVE_NEW;
    // It does not shrink while the page is open: what is below would move.
    const height = Math.max(needed, Number.parseFloat(box.style.getPropertyValue('--new')) || 0);
    box.style.setProperty('--new', `${height}px`);
  });

  useLayoutEffect(() => {
    const box = ref.current;
    const first = box?.querySelector('[data-new]') ?? null;
    if (box === null || first === null) return;
    // From a reversed box's end, which is where it starts and stays.
    const above = box.getBoundingClientRect().top + ABOVE_NEW - first.getBoundingClientRect().top;
    if (above > 0) box.scrollTop -= above;
  }, [ref]);

  useEffect(() => {
    const box = ref.current;
    if (box === null || list.current === null) return;
    const look = () => {
      const above = box.scrollHeight - box.clientHeight + box.scrollTop > 1;
      const below = box.scrollTop < -1;
      setHasMore((before) => (before.above === above && before.below === below ? before : { above, below }));
    };
    const size = new ResizeObserver(look);
    size.observe(list.current);
    box.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      size.disconnect();
      box.removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [ref]);

  return (
    <div className="relative">
      <section
        ref={ref}
        aria-label={threads.with(finder)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="flex max-h-[clamp(45dvh_-_4.5rem,var(--new,0px),65dvh_-_4.5rem)] flex-col-reverse overflow-y-auto overscroll-contain"
      >
        <ol ref={list} className="flex shrink-0 flex-col gap-3" aria-live="polite" aria-label={finder}>
          {entries.map((entry) => (
            <ThreadBubble key={entry.id} entry={entry} />
          ))}
        </ol>
      </section>
      <SoftEdge isShown={hasMore.above} className="top-0 bg-linear-to-b" />
      <SoftEdge isShown={hasMore.below} className="bottom-0 bg-linear-to-t" />
    </div>
  );
}

function SoftEdge({ isShown, className }: { readonly isShown: boolean; readonly className: string }) {
  return (
    <div
      className={classNames(
        'pointer-events-none absolute inset-x-0 h-10 from-surface to-transparent transition-opacity',
        className,
        !isShown && 'opacity-0',
      )}
      aria-hidden="true"
    />
  );
}

/** Returns how far below the beginning of the box's content the element begins. */
function distance(box: HTMLElement, element: Element): number {
  const beginning = box.getBoundingClientRect().top - (box.scrollHeight - box.clientHeight + box.scrollTop);
  return element.getBoundingClientRect().top - beginning;
}
