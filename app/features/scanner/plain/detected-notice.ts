import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';

const KEY = 'code_detected';
/** How long the notice is shown, in milliseconds. */
const STANDS_MS = 5_000;

/** Has the next landing page say that a code was detected. */
export function rememberDetected(): void {
  writeSessionStorage(KEY, '1');
}

/** Says so on the landing page that a scan led to, once. */
export function sayDetected(): void {
  const notice = document.querySelector<HTMLElement>('[data-detected]');
  if (notice === null || readSessionStorage(KEY) === null) return;
  writeSessionStorage(KEY, null);
  notice.textContent = notice.dataset.detected ?? '';
  setTimeout(() => {
    notice.textContent = '';
  }, STANDS_MS);
}
