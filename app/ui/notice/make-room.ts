import { keepInPlace } from '#app/ui/keep-in-place.ts';

/**
 * Moves the page down by the height of the notices above it, until the returned function is called. What was pressed or
 * has the focus stays in view, and a field that is typed in stays where it is.
 */
export function makeRoom(notices: HTMLDivElement): () => void {
  const { visualViewport } = window;
  const page = document.documentElement.style;
  const stop = new AbortController();
  const { signal } = stop;
  /** Safari does not focus a pressed button, and a disabled one loses the focus. */
  let used = document.activeElement;
  const onUse = ({ target }: Event) => {
    if (target instanceof Element && !notices.contains(target)) used = target;
  };
  for (const event of ['focusin', 'pointerdown']) document.addEventListener(event, onUse, { signal, capture: true });

  const observer = new ResizeObserver(() => {
    const seen = used !== null && isInView(used) ? used : null;
    keepInPlace(seen?.matches(':read-write') === true ? seen : null, () => {
      page.setProperty('--notices-room', `${notices.getBoundingClientRect().height}px`);
    });
    seen?.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(notices);

  // A keyboard moves the page of an iPhone up, and what is fixed to its top.
  const follow = () => {
    notices.style.top = `${visualViewport?.offsetTop ?? 0}px`;
  };
  for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, follow, { signal });

  return () => {
    observer.disconnect();
    stop.abort();
    page.removeProperty('--notices-room');
  };
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && bottom - top < innerHeight / 2;
}
