/**
 * Serves the offline page in place of a page that could not be fetched. It caches nothing, changes no response, and
 * leaves all other requests to the browser. The server puts the page before this script
 * (`server/web/offline-worker.ts`).
 */
declare const OFFLINE_PAGE: { readonly html: string; readonly headers: Readonly<Record<string, string>> } | null;

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The used part of ServiceWorkerGlobalScope; the types of documents and workers exclude each other. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

// This script only runs in a service worker.
const worker = globalThis as unknown as WorkerScope;

/** URLs that are not pages of the app; they report their own errors. */
const OTHERS = /^\/(?:(?:rest|auth|storage|realtime)\/v1|health|dev|assets)\//;

// It caches nothing that an older page could miss, so a new version takes over at once.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener('activate', (event) => {
  // Where the operator has disabled the page, the worker unregisters itself.
  if (OFFLINE_PAGE === null) event.waitUntil(worker.registration.unregister());
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (OFFLINE_PAGE === null || mode !== 'navigate' || method !== 'GET') return;
  if (OTHERS.test(new URL(url).pathname)) return;
  const { html, headers } = OFFLINE_PAGE;
  event.respondWith(fetch(event.request).catch(() => new Response(html, { status: 503, headers })));
});
