import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

/** What a slow connection may have to carry (`docs/benchmarks.md`): before an owner sees items, and for the first page. */
const MOST_REQUESTS = 30;
const MOST_BYTES = 190_000;
const DATA_BYTES = 5_000;
const MOST_LANDING_BYTES = 60_000;

interface Asked {
  readonly path: string;
  bytes: number;
}

/** Every request of the page from now on, with the bytes that came for it, headers included. */
async function watchTraffic(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const asked = new Map<string, Asked>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, search, protocol } = new URL(request.url);
    if (protocol === 'http:') asked.set(requestId, { path: pathname + search, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one !== undefined) one.bytes = encodedDataLength;
  });
  return {
    all: () => [...asked.values()].map((one) => ({ ...one })),
    bytes: () => [...asked.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

test('an owner sees items after few requests, each made once; what other screens need comes later', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const traffic = await watchTraffic(page);
  // The data are held back, so that everything is counted that the screen asks for before they are there.
  const mayAnswer = Promise.withResolvers<void>();
  await page.route('**/rest/v1/items?**', (route) => mayAnswer.promise.then(() => route.continue()));
  const isAsked = page.waitForRequest('**/rest/v1/items?**');
  await page.goto('/dashboard');
  await isAsked;
  await page.waitForFunction(() => new Promise((idle) => requestIdleCallback(() => idle(true))));
  const isOfAnotherScreen = ({ path }: Asked) => /\/assets\/(?:landing|profile|item|privacy|scanner)-/.test(path);
  expect(traffic.all().filter(isOfAnotherScreen)).toEqual([]);
  // All but the data, which are a few kB, has come by now.
  expect(traffic.all().length).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(traffic.bytes()).toBeLessThanOrEqual(MOST_BYTES - DATA_BYTES);

  mayAnswer.resolve();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();

  // The other screens and the live line are there as well, and the data were asked for once.
  await expect.poll(() => traffic.all().filter(isOfAnotherScreen).length).toBeGreaterThan(3);
  await page.waitForLoadState('networkidle');
  const data = traffic.all().flatMap(({ path }) => (path.startsWith('/rest/v1/items') ? [path] : []));
  expect(data).toHaveLength(1);
});

test('the first page can be used after few bytes, and asks for no more by itself', { tag: '@one-width' }, async ({
  page,
}) => {
  const traffic = await watchTraffic(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(traffic.bytes()).toBeLessThanOrEqual(MOST_LANDING_BYTES);
  expect(traffic.all().filter(({ path }) => path.endsWith('.js'))).toEqual([]);
});
