import { NOTIFICATION_OPENED } from '#app/push/notification-opened.ts';

/** Signs of a hand at this window. Not `scroll`, which the app and the browser cause too when a message arrives. */
const INPUTS = ['keydown', 'pointerdown', 'pointerup', 'pointermove', 'wheel', 'touchmove'] as const;

/** Calls back at each sign that a person is at the page: an input while its window has the focus, or an opened notification. */
export function watchAttention(signal: AbortSignal, onSign: () => void): void {
  for (const type of INPUTS) {
    addEventListener(
      type,
      (event) => {
        if (document.hasFocus() && !isStill(event)) onSign();
      },
      { signal, passive: true, capture: true },
    );
  }
  // A browser without it has no notifications of ours.
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }) => {
      if (data === NOTIFICATION_OPENED) onSign();
    },
    { signal },
  );
}

/** A browser reports a pointer that rests when something moves below it. */
function isStill(event: Event): boolean {
  return (
    event instanceof PointerEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0
  );
}
