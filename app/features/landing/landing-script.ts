import { hasSignedIn } from '#app/browser/has-signed-in.ts';
import { leadHome } from '#app/browser/lead-home.ts';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { authPath } from '#app/client/return-path.ts';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { SCAN_HASH, SCAN_QUERY } from '#domain/tag-code/scan-address.ts';
import { isTagCode } from '#domain/tag-code/tag-code.ts';

/** Adds the stored tag code to the links to the sign-up, and stores a code in the URL. */
function carryCode(key: string): void {
  const scanned = resolveTagCode(location);
  if (scanned !== null) writeSessionStorage(key, scanned);
  const code = scanned ?? readSessionStorage(key);
  if (code === null || !isTagCode(code)) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-auth]')) {
    link.setAttribute('href', authPath(code));
    if (link.dataset.withCode !== undefined) link.textContent = link.dataset.withCode;
  }
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-replace]')) {
  link.addEventListener('click', (event) => {
    // A new tab or window has its own history.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.replace(link.href);
  });
}

/** Opens this page in the app in place of this document, so that going back leads where it led before. */
function openScanner(form: HTMLFormElement): void {
  form.querySelector('button')?.setAttribute('aria-busy', 'true');
  location.replace(`${form.getAttribute('action')}?${SCAN_QUERY}=1`);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-scan]')) {
  const problem = form.querySelector<HTMLElement>('[role="alert"]');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (problem !== null) problem.textContent = navigator.onLine ? '' : (problem.dataset.offline ?? '');
    if (navigator.onLine) openScanner(form);
  });
  // The app keeps an open scanner in the URL; this is such a page after a reload.
  if (location.hash === SCAN_HASH) openScanner(form);
}

// A browser that goes back shows the page as it was left.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('form[data-scan] button')) button.removeAttribute('aria-busy');
  const storagePrefix = document.documentElement.dataset.storagePrefix ?? '';
  leadHome(storagePrefix);
  if (hasSignedIn(storagePrefix)) {
    for (const link of document.querySelectorAll('a[data-begin]')) link.setAttribute('href', authPath(null));
  }
  carryCode(`${storagePrefix}_qr_id`);
});
