import { authPath } from '#app/lib/auth-path.ts';
import { readSessionStorage, writeSessionStorage } from '#app/lib/browser-storage.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import { SCAN_HASH, SCAN_QUERY } from '#domain/scan-address.ts';
import { signedInHint } from '#domain/signed-in-hint.ts';
import { isTagCode } from '#domain/tag-code.ts';

/** Where the server's hint says that a person is signed in, the link to sign in leads to their items, and says so. */
function leadHome(storagePrefix: string): void {
  if (!signedInHint(storagePrefix)(document.cookie)) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-signed-in]')) {
    link.setAttribute('href', '/dashboard');
    link.textContent = link.dataset.signedIn ?? '';
  }
}

/** Has the links to sign-up carry the code of the sticker that this tab was opened with, and keeps one in the address. */
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
    // Another tab or window has a history of its own.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.replace(link.href);
  });
}

/** The same page as a screen of the app, in the place of this one, so that going back leads where it led before. */
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
  // The app keeps an open scanner in the address; this is such a page loaded anew.
  if (location.hash === SCAN_HASH) openScanner(form);
}

// A browser that goes back shows the page as it was left.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('form[data-scan] button')) button.removeAttribute('aria-busy');
  const storagePrefix = document.documentElement.dataset.storagePrefix ?? '';
  leadHome(storagePrefix);
  carryCode(`${storagePrefix}_qr_id`);
});
