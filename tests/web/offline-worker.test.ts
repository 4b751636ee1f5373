import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const without = await startTestServer(database, { environment: { OFFLINE_PAGE: 'false' } });

interface FakeFetchEvent {
  readonly request: { readonly method: string; readonly mode: string; readonly url: string };
  respondWith(fallback: Promise<Response>): unknown;
}

/** Runs the worker as a browser does, with the test's `fetch`. */
async function startWorker(server: typeof web, fetch: () => Promise<Response>, tabs: readonly string[] = []) {
  const response = await server.request('/service-worker.js');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const listeners = new Map<string, (event: unknown) => void>();
  let registered = true;
  const shown: unknown[] = [];
  const opened: string[] = [];
  const badges: number[] = [];
  const scope = createContext({
    URL,
    Response,
    fetch,
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    skipWaiting: async () => {},
    registration: {
      unregister: async () => {
        registered = false;
      },
      showNotification: async (title: string, options: unknown) => void shown.push({ title, options }),
    },
    clients: {
      matchAll: async () =>
        tabs.map((url) => ({
          url,
          focus: async () => void opened.push(`tab ${url}`),
          postMessage: (message: string) => void opened.push(message),
        })),
      openWindow: async (url: string) => void opened.push(url),
    },
    navigator: { setAppBadge: async (count: number) => void badges.push(count) },
  });
  runInContext(await response.text(), scope);
  const dispatch = async (type: string, fields: object = {}) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...fields, waitUntil: (promise: Promise<unknown>) => work.push(promise) });
    await Promise.all(work);
  };
  await dispatch('install');
  await dispatch('activate');
  return {
    isRegistered: () => registered,
    dispatch,
    shown,
    opened,
    badges,
    /** Returns the worker's response, or null where it leaves the request to the browser. */
    async ask(path: string, { method = 'GET', mode = 'navigate' } = {}) {
      const responses: Promise<Response>[] = [];
      const event: FakeFetchEvent = {
        request: { method, mode, url: `http://localhost${path}` },
        respondWith: (promise) => responses.push(promise),
      };
      listeners.get('fetch')?.(event);
      return responses[0] ?? null;
    },
  };
}

const offline = async () => {
  throw new TypeError('There is no connection.');
};

test('a page that cannot be fetched is replaced by one that needs nothing else, and is cached nowhere', async () => {
  const worker = await startWorker(web, offline);
  const fallback = await worker.ask('/dashboard');
  expect(fallback?.status).toBe(503);
  expect(fallback?.headers.get('cache-control')).toBe('no-store');
  expect(fallback?.headers.get('content-security-policy')).not.toContain('unsafe');
  const html = (await fallback?.text()) ?? '';
  expect(html).toContain('No connection');
  expect(html).not.toMatch(/(?:src|href)="[^"]/);
  expect(worker.isRegistered()).toBe(true);
});

test('a page that can be fetched is passed on unchanged', async () => {
  const fetched = new Response('fetched');
  const worker = await startWorker(web, async () => fetched);
  expect(await worker.ask('/dashboard')).toBe(fetched);
});

test('only pages pass through it [K47]', async () => {
  const worker = await startWorker(web, offline);
  for (const path of [
    '/rest/v1/items',
    '/auth/v1/authorize?provider=one',
    '/storage/v1/object/public/item-photos/a.webp',
    '/realtime/v1/websocket',
    '/dev/outbox',
    '/assets/a-12345678.js',
  ]) {
    expect(await worker.ask(path), path).toBeNull();
  }
  expect(await worker.ask('/dashboard', { mode: 'cors' })).toBeNull();
  expect(await worker.ask('/item/tgt-a/message', { method: 'POST' })).toBeNull();
  for (const page of ['/', '/auth', '/auth/callback', '/item/tgt-a']) expect(await worker.ask(page)).not.toBeNull();
});

test('a push is shown as its fields say, and a tap opens its page, in a tab that shows it already', async () => {
  const push = {
    web_push: 8030,
    notification: {
      title: 'Someone found your keys',
      body: 'Open Reunite to read and reply.',
      navigate: 'http://localhost/item/tgt-a',
      lang: 'en',
      dir: 'ltr',
      tag: 'a conversation',
      renotify: true,
    },
    app_badge: 3,
  };
  const worker = await startWorker(web, offline);
  await worker.dispatch('push', { data: { json: () => push } });
  const { title, navigate, ...rest } = push.notification;
  expect(worker.shown).toEqual([{ title, options: { ...rest, icon: '/icon-192.png', data: navigate } }]);
  expect(worker.badges).toEqual([3]);

  let closed = 0;
  const notification = { data: navigate, close: () => (closed += 1) };
  await worker.dispatch('notificationclick', { notification });
  expect(worker.opened).toEqual([`${navigate}#messages`]);
  const withTab = await startWorker(web, offline, ['http://localhost/dashboard', `${navigate}#messages`]);
  await withTab.dispatch('notificationclick', { notification });
  expect(withTab.opened).toEqual([`tab ${navigate}#messages`, 'notification-opened']);
  expect(closed).toBe(2);
});

test('where the operator has disabled it, no screen requests it, and one left in a browser removes itself', async () => {
  expect(await (await web.request('/auth')).text()).toContain('&quot;offlinePage&quot;:true');
  expect(await (await without.request('/auth')).text()).toContain('&quot;offlinePage&quot;:false');
  const worker = await startWorker(without, offline);
  expect(worker.isRegistered()).toBe(false);
  expect(await worker.ask('/dashboard')).toBeNull();
});

test('the worker brings the page in its reader’s language, and no cache takes it for that of another [K99]', async () => {
  for (const [tag, direction] of [
    ['he', 'rtl'],
    ['fr', 'ltr'],
    ['en', 'ltr'],
  ]) {
    const response = await web.request('/service-worker.js', { headers: { 'Accept-Language': `${tag}, en;q=0.5` } });
    expect(response.headers.get('vary')).toContain('Accept-Language, Cookie');
    expect(await response.text()).toContain(JSON.stringify(`<html lang="${tag}" dir="${direction}"`).slice(1, -1));
  }
});
