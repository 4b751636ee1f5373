/** Pixels between the notices and the top or bottom of the screen. */
const MARGIN = 16;

/** Pixels between the notices and the content above or below them. */
const GAP = 24;

/** What can be typed into or pressed. */
const CONTROLS = 'a, button, input, select, textarea, summary, label, [role=switch]';

/**
 * Keeps the notices off what is in use, and adds room for them, until the returned function is called. Where they are
 * otherwise is in their class names.
 */
export function placeNotices(notices: HTMLDivElement): () => void {
  const takeRoomBack = makeRoom(notices);
  const stop = keepOffUse(notices);
  return () => {
    takeRoomBack();
    stop();
  };
}

/**
 * Moves the notices to the other end of the screen where they would cover the control that has the focus or was pressed
 * last. While something is typed on a touch screen they begin at the top: below the field are its button and the keyboard,
 * which on an iPhone moves the page up.
 */
function keepOffUse(notices: HTMLDivElement): () => void {
  const { style } = notices;
  const { visualViewport } = window;
  /** Kept when it loses the focus, as a button does that is disabled while it acts. Safari does not focus a pressed button. */
  let used = controlOf(document.activeElement);
  const stop = new AbortController();
  const { signal } = stop;

  const moveToTop = () => {
    style.top = `${(visualViewport?.offsetTop ?? 0) + MARGIN}px`;
    style.bottom = 'auto';
  };
  const moveToBottom = () => {
    const end = visualViewport === null ? innerHeight : visualViewport.offsetTop + visualViewport.height;
    style.top = 'auto';
    style.bottom = `${innerHeight - end + MARGIN}px`;
  };
  const place = () => {
    style.top = '';
    style.bottom = '';
    if (notices.childElementCount === 0) return;
    if (document.activeElement?.matches(':read-write') && matchMedia('(pointer: coarse)').matches) moveToTop();
    if (used === null || !overlap(notices, used)) return;
    const { top, bottom } = notices.getBoundingClientRect();
    if (top + bottom > innerHeight) moveToTop();
    else moveToBottom();
  };

  // A notice that is added, and a form that opens.
  const observer = new ResizeObserver(place);
  observer.observe(notices);
  observer.observe(document.body);
  const onUse = ({ target }: Event) => {
    if (target instanceof Node && notices.contains(target)) return;
    used = (target instanceof Element ? controlOf(target) : null) ?? controlOf(document.activeElement);
    place();
  };
  for (const event of ['focusin', 'pointerdown']) document.addEventListener(event, onUse, { signal, capture: true });
  document.addEventListener('focusout', place, { signal });
  document.addEventListener('scroll', place, { signal, capture: true, passive: true });
  for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, place, { signal });
  return () => {
    observer.disconnect();
    stop.abort();
  };
}

/** The control as it is seen: a tile or a line that is the label of its hidden box. */
function controlOf(element: Element | null): Element | null {
  const control = element?.closest(CONTROLS) ?? null;
  return control?.closest('label') ?? control;
}

function overlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * Adds space at the end of the page for the notices, so that covered content can be scrolled into view and a focused
 * element is never hidden (WCAG 2.2, success criterion 2.4.11).
 */
function makeRoom(notices: HTMLDivElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const height = notices.offsetHeight;
    style.setProperty('--notices-room', `${height === 0 ? 0 : height + GAP}px`);
  });
  observer.observe(notices);
  return () => {
    observer.disconnect();
    style.removeProperty('--notices-room');
  };
}
