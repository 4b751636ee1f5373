import { hasSignedIn } from '#app/browser/has-signed-in.ts';
import { leadHome } from '#app/browser/lead-home.ts';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { authPath } from '#app/client/return-path.ts';
import { sayDetected } from '#app/features/scanner/plain/detected-notice.ts';
import { runScanner } from '#app/features/scanner/plain/run-scanner.ts';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
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

const storagePrefix = document.documentElement.dataset.storagePrefix ?? '';
const codeKey = `${storagePrefix}_qr_id`;

// A browser that goes back shows the page as it was left.
addEventListener('pageshow', () => {
  leadHome(storagePrefix);
  if (hasSignedIn(storagePrefix)) {
    for (const link of document.querySelectorAll('a[data-begin]')) link.setAttribute('href', authPath(null));
  }
  carryCode(codeKey);
});

sayDetected();
runScanner(() => carryCode(codeKey));
