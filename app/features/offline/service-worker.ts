import { THREADS_ID } from '#app/item/threads-id.ts';
import { NOTIFICATION_OPENED } from '#app/push/notification-opened.ts';

/**
 * Serves the offline page in place of a page that could not be fetched, and shows pushes. It caches nothing, changes no
 * response, and leaves all other requests to the browser. The server puts the page before this script
 * (`server/web/assets/offline-worker.ts`).
 */
declare const OFFLINE_PAGE: { readonly html: string; readonly headers: Readonly<Record<string, string>> } | null;

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface PushEvent extends ExtendableEvent {
  /** A `PushPayload` of `server/delivery/push`, encrypted for this browser by our server. */
  readonly data: { json(): DeclarativePush };
}

interface DeclarativePush {
  readonly notification: NotificationOptions & { readonly title: string; readonly navigate: string };
  readonly app_badge?: number;
}

interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: Notification;
}

interface Tab {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: string): void;
}

/** The used part of ServiceWorkerGlobalScope; the types of documents and workers exclude each other. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly navigator: { setAppBadge?(count: number): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationClickEvent) => void): void;
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

// Where the browser does not show declarative pushes by itself.
worker.addEventListener('push', (event) => {
  const { notification, app_badge: count } = event.data.json();
  const { title, navigate, ...options } = notification;
  const shown = { ...options, icon: '/icon-192.png', data: navigate };
  event.waitUntil(worker.registration.showNotification(title, shown));
  if (count !== undefined) event.waitUntil(worker.navigator.setAppBadge?.(count).catch(() => {}) ?? Promise.resolve());
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

/** Shows a page of ours in its tab, or in a new one at its conversations. What is in view there then counts as seen. */
async function show(url: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => one.url.split('#')[0] === url);
  if (tab === undefined) return void (await worker.clients.openWindow(`${url}#${THREADS_ID}`));
  await tab.focus();
  tab.postMessage(NOTIFICATION_OPENED);
}
