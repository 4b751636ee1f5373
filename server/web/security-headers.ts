import { createHash } from 'node:crypto';

export type HeaderRecord = Readonly<Record<string, string>>;

/** Where the forms of a finder may lead: the answer to a POST goes on to the owner's number or address. */
const CONTACT_TARGETS = 'https://wa.me https://api.whatsapp.com https://web.whatsapp.com whatsapp: tel: mailto:';

/**
 * For every document, whatever made it, beside what every answer says. `camera` is what the scanner needs; nothing else
 * of the device is asked for.
 */
export const documentHeaders: HeaderRecord = {
  'X-Frame-Options': 'DENY',
  // The code of an item stands in the path and is nobody else's business; our own forms still name their origin.
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), browsing-topics=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Content-Security-Policy of the app: scripts by the nonce of this one answer, and what those load themselves. */
export function appPolicy(nonce: string, options: { development: boolean; upgrade: boolean }): string {
  return policy({
    'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
    // Vite puts the styles of a development page in by script.
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

/** Content-Security-Policy of a finder's document: exactly its one style and one script, the same for every copy of it. */
export function finderPolicy(inlined: { styles: string; script: string }, options: { upgrade: boolean }): string {
  return policy({
    'script-src': hashSource(inlined.script),
    'style-src': hashSource(inlined.styles),
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': `'self' ${CONTACT_TARGETS}`,
    ...(options.upgrade && { 'upgrade-insecure-requests': '' }),
  });
}

/** Content-Security-Policy of the offline page: its one style and one script, which asks whether we can be reached. */
export function offlinePolicy(inlined: { styles: string; script: string }, options: { upgrade: boolean }): string {
  return policy({
    'script-src': hashSource(inlined.script),
    'style-src': hashSource(inlined.styles),
    'connect-src': "'self'",
    ...(options.upgrade && { 'upgrade-insecure-requests': '' }),
  });
}

/** Content-Security-Policy of the service worker, which fetches pages of ours and nothing else. */
export const serviceWorkerPolicy = policy({ 'connect-src': "'self'" });

/**
 * Content-Security-Policy of a worker of ours, which has one of its own: the decoder of QR codes runs WebAssembly, and
 * nothing else of the site may.
 */
export const workerPolicy = policy({ 'script-src': "'self' 'wasm-unsafe-eval'", 'connect-src': "'self'" });

function policy(directives: Readonly<Record<string, string>>): string {
  const all = { 'default-src': "'none'", 'base-uri': "'none'", 'frame-ancestors': "'none'", ...directives };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
