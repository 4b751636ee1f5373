/**
 * Answers for a page that could not be fetched, and does nothing else: it keeps nothing, changes no answer, and leaves
 * every other request to the browser. The server writes the page before this script (`server/web/offline-worker.ts`).
 */
declare const OFFLINE_PAGE: { readonly html: string; readonly headers: Readonly<Record<string, string>> } | null;

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** As much of ServiceWorkerGlobalScope as is used; the types of a document and of a worker exclude each other. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

// This script runs nowhere else.
const worker = globalThis as unknown as WorkerScope;

/** Not pages of ours: what is opened there says itself what is the matter. */
const OTHERS = /^\/(?:(?:rest|auth|storage|realtime)\/v1|health|dev|assets)\//;

// It keeps nothing that an older page could miss, so a newer one takes its place at once.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener('activate', (event) => {
  // Where the operator wants none, it removes itself.
  if (OFFLINE_PAGE === null) event.waitUntil(worker.registration.unregister());
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (OFFLINE_PAGE === null || mode !== 'navigate' || method !== 'GET') return;
  if (OTHERS.test(new URL(url).pathname)) return;
  const { html, headers } = OFFLINE_PAGE;
  event.respondWith(fetch(event.request).catch(() => new Response(html, { status: 503, headers })));
});
