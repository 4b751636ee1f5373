import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import { partOf } from './parts.ts';
import { scan } from './scan.ts';

/** The state of the history entry that opening the scanner added. */
const OPENED = 'scanner';

/**
 * Opens the scanner of a document without the app by its button. The URL's hash says that it is open, so that a phone's Back
 * closes it and stays on the page.
 *
 * @param onClose - Called after it has closed: a code may have been stored.
 */
export function runScanner(onClose: () => void): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog[data-scanner]');
  const button = document.querySelector('[data-scan]');
  if (dialog === null || button === null) return;
  // Safari before 15.4. The page for typed codes needs no scripts.
  if (!('showModal' in dialog)) {
    button.addEventListener('click', () => location.assign('/found'));
    return;
  }

  /** Aborted when the scanner closes; null while it is closed. */
  let open: AbortController | null = null;
  const follow = () => {
    const isWanted = location.hash === SCAN_HASH;
    if (isWanted === (open !== null)) return;
    if (isWanted) {
      open = new AbortController();
      dialog.showModal();
      scan(dialog, open.signal);
      return;
    }
    open?.abort();
    open = null;
    dialog.close();
    onClose();
  };
  button.addEventListener('click', () => {
    if (open !== null) return;
    history.pushState(OPENED, '', SCAN_HASH);
    follow();
  });
  partOf(dialog, 'close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    open?.abort();
    if (location.hash !== SCAN_HASH) return;
    const state: unknown = history.state;
    if (state === OPENED) return history.back();
    // The page was opened with the scanner, so there is no own history entry to go back to.
    history.replaceState(null, '', location.pathname + location.search);
    follow();
  });
  dialog.addEventListener('keydown', (event) => keepFocus(dialog, event));
  addEventListener('popstate', follow);
  // Also for a browser that goes back and shows the page as it was left.
  addEventListener('pageshow', follow);
}

/** At the end of the dialog the focus is led back to its beginning, as in the app's dialogs. */
function keepFocus(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const stops = [...dialog.querySelectorAll<HTMLElement>('button:enabled, input:not([type=file])')].filter(
    (element) => element.offsetParent !== null,
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}
