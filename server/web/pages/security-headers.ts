import { hashSource } from '#server/http/plain-pages/hash-source.ts';

export type HeaderRecord = Readonly<Record<string, string>>;

/** Targets of the finder's forms: a POST redirects to the owner's number or address. */
const CONTACT_TARGETS = 'https://wa.me https://api.whatsapp.com https://web.whatsapp.com whatsapp: tel: mailto:';

/**
 * For every document, in addition to the default headers. The scanner needs `camera`; no other device features are
 * used.
 */
export const documentHeaders: HeaderRecord = {
  'X-Frame-Options': 'DENY',
  // An item's code is in the path and must not reach other sites. Our own forms still send their origin.
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(self), microphone=(), geolocation=(self), payment=(), usb=(), serial=(), browsing-topics=()',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * For documents of the app: a page that opened them has no hold on their window. A finder's document goes without, because
 * browsers start another process for it, a sixth of a second on a slow phone
 * (docs/decisions/0096-no-opener-policy-for-finders.md).
 */
export const appHeaders: HeaderRecord = { ...documentHeaders, 'Cross-Origin-Opener-Policy': 'same-origin' };

/** The Content-Security-Policy of the app: scripts with this response's nonce, and what they load themselves. */
export function appPolicy(nonce: string, options: { development: boolean; upgrade: boolean }): string {
  return policy({
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    // In development Vite inserts styles by script.
    'style-src': options.development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': options.development ? "'self' ws:" : "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    ...(options.upgrade && { 'upgrade-insecure-requests': '' }),
  });
}

/**
 * The Content-Security-Policy of a finder's document: exactly its one style, the operator's (which may be empty) and one
 * script, equal for every copy, and what that script loads itself for a photo or a location.
 */
export function finderPolicy(
  inlined: { styles: string; script: string },
  brandStyles: string,
  options: { upgrade: boolean },
): string {
  return policy({
    'script-src': `${hashSource(inlined.script)} 'strict-dynamic'`,
    'style-src': stylesOf(inlined, brandStyles),
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': `'self' ${CONTACT_TARGETS}`,
    ...(options.upgrade && { 'upgrade-insecure-requests': '' }),
  });
}

/**
 * The Content-Security-Policy of the offline page: its one style, the operator's (which may be empty) with their logo, and
 * one script, which checks whether the server is reachable.
 */
export function offlinePolicy(
  inlined: { styles: string; script: string },
  brandStyles: string,
  options: { upgrade: boolean },
): string {
  return policy({
    'script-src': hashSource(inlined.script),
    'style-src': stylesOf(inlined, brandStyles),
    ...(brandStyles !== '' && { 'img-src': 'data:' }),
    'connect-src': "'self'",
    ...(options.upgrade && { 'upgrade-insecure-requests': '' }),
  });
}

function stylesOf(inlined: { styles: string }, brandStyles: string): string {
  return [inlined.styles, ...(brandStyles === '' ? [] : [brandStyles])].map(hashSource).join(' ');
}

/** The Content-Security-Policy of the service worker, which fetches only our own pages. */
export const serviceWorkerPolicy = policy({ 'connect-src': "'self'" });

/** The Content-Security-Policy of workers. Only these, the QR decoder and the shaper of texts, may run WebAssembly. */
export const workerPolicy = policy({ 'script-src': "'self' 'wasm-unsafe-eval'", 'connect-src': "'self'" });

function policy(directives: Readonly<Record<string, string>>): string {
  const all = { 'default-src': "'none'", 'base-uri': "'none'", 'frame-ancestors': "'none'", ...directives };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');
}
